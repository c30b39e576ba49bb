/** Returns the error of a promise; fails the test if it resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`rejected with ${typeof error}, which is no Error`);
  }
  throw new Error('expected a rejection');
}

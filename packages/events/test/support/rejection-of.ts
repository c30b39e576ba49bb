/** Returns the error with which a promise rejects; fails the test if the promise resolves. */
export async function rejectionOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`rejected with ${typeof error}, which is no Error`);
  }
  throw new Error('expected a rejection');
}

/** The promise, or after `deadlineMs` what `late` gives or throws; the promise's own end is then of no effect. */
export async function withDeadline<Value>(
  promise: Promise<Value>,
  deadlineMs: number,
  late: () => Value,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<Value>((resolve, reject) => {
    timer = setTimeout(() => {
      try {
        resolve(late());
      } catch (error) {
        reject(error);
      }
    }, deadlineMs);
  });
  return Promise.race([promise, deadline]).finally(() => clearTimeout(timer));
}

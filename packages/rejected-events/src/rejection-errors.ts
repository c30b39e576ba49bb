/** An id under which nothing is rejected, or no longer; or more than one event where only one can be meant. */
export class NotRejectedError extends Error {
  override readonly name = 'NotRejectedError';

  constructor(id: string, sharedBy = 0) {
    super(
      sharedBy > 1
        ? `${sharedBy} rejected events share the id ${id}, so none of them can be corrected by it: ` +
            'retry or discard them'
        : `${id} is not rejected, or no longer: takt rejected list shows what is`,
    );
  }
}

/** Another client wrote a job that BullMQ cannot read. */
export class UnreadableJobError extends Error {
  override readonly name = 'UnreadableJobError';

  constructor(id: string) {
    super(`${id} cannot be read and so not be retried: discard it`);
  }
}

/** The address of the service, and a token for it. */
export const [, , baseUrl = '', token = ''] = process.argv;

/**
 * The data that a client read, in the fields that its generated types must have: required, of JSON, without a union
 * with text.
 */
export interface WhatWasRead {
  readonly rows: readonly {
    readonly productStructureVersion: {
      readonly productStructureVersionId: number;
      readonly name: string;
      readonly statusDescription?: string | null;
    };
    /** Absent if the client lacks the duty to see planned times. */
    readonly plannedProductionTimes?: { readonly processing: { readonly runTime: number | null } };
  }[];
  readonly nextPage: string | null;
  readonly messages: readonly { readonly errorMessageId: number; readonly message: string }[];
  readonly error: { readonly message: string; readonly hTTPStatusCode: string } | undefined;
}

/** Prints the data for the test. */
export function report(read: WhatWasRead): void {
  process.stdout.write(
    JSON.stringify({
      rows: read.rows.map(({ productStructureVersion: version, plannedProductionTimes: planned }) => [
        version.productStructureVersionId,
        version.name,
        version.statusDescription,
        planned?.processing.runTime,
      ]),
      nextPage: read.nextPage,
      messages: read.messages.map(({ errorMessageId, message }) => [errorMessageId, message]),
      error: [read.error?.hTTPStatusCode, read.error?.message],
    }),
  );
}

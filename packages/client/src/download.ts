import { addressOf } from './address.js';
import { openDeadline, unlessAborted } from './deadline.js';
import { type Result, TaktError } from './failure.js';
import type { Asked } from './read-documents.js';
import { failureOf, openBody } from './send.js';

/** A list as a file. */
export interface Download {
  /** Breaks off with a TaktError where the rest does not come: a file is whole only when it has ended. */
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** As the service would have it named; undefined where it says nothing. */
  readonly fileName: string | undefined;
}

/** Begins a download. Tried again is what fails before the first byte, never later. */
export async function openDownload({ connection, path, options, signal }: Asked): Promise<Result<Download>> {
  const result = await openBody(connection, addressOf(path, options), signal);
  if (!result.ok) return result;
  const { headers } = result.response;
  return {
    ok: true,
    body: withDeadlines(result.body, connection.policy.timeoutMs, signal),
    contentType: headers.get('content-type') ?? '',
    fileName: /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1],
  };
}

/** The same bytes, as they are asked for; each piece has its time, and what does not come in it ends the stream. */
function withDeadlines(
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const deadline = openDeadline(signal, timeoutMs);
    try {
      const { done, value } = await unlessAborted(reader.read(), deadline.signal);
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    } catch (cause) {
      controller.error(new TaktError(failureOf(cause, deadline, timeoutMs, signal)));
      reader.cancel(cause).catch(() => undefined);
    } finally {
      deadline.release();
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

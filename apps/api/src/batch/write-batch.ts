import { bodyOf, type WholeAnswer } from '@takt/http';
import { BATCH_IDENTIFIER, BATCH_VERSION, type BatchFormat } from '../computed/batch-description.js';
import { escapeXml } from '../representations/shared-parts.js';
import type { WritingContext } from '../representations/writer.js';
import { representationHeaders } from '../respond/write-answer.js';
import type { Batched } from './read-batch.js';

interface BatchPart extends Batched {
  readonly answer: WholeAnswer;
}

/**
 * Joins the documents of a batch into one. Each document has exactly the same bytes as the answer to a single request.
 */
export function writeBatch(
  parts: readonly BatchPart[],
  format: BatchFormat,
  context: Pick<WritingContext, 'language' | 'requestId'>,
): WholeAnswer {
  const whole = Buffer.concat(format === 'xml' ? xmlOf(parts) : jsonOf(parts));
  const isStreamed = format === 'jsonstream';
  return {
    status: 200,
    headers: {
      ...representationHeaders(whole, format, context),
      'Resource-Id': String(BATCH_IDENTIFIER),
      'Resource-Version': String(BATCH_VERSION),
    },
    body: isStreamed ? [whole.toString()] : whole,
    isStreamed,
  };
}

function jsonOf(parts: readonly BatchPart[]): readonly Buffer[] {
  const documents = parts.flatMap(({ uri, batchId, answer }, index) => {
    const before = `${index === 0 ? '' : ','}{"uri":${JSON.stringify(uri)},"batchId":${JSON.stringify(batchId)},"response":`;
    return [Buffer.from(before), bodyOf(answer), Buffer.from('}')];
  });
  return [Buffer.from('{"resources":['), ...documents, Buffer.from(']}')];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

/**
 * Joins the documents of a batch as XML. A nested document loses its XML declaration, but keeps its namespace
 * declaration.
 */
function xmlOf(parts: readonly BatchPart[]): readonly Buffer[] {
  const documents = parts.flatMap(({ uri, batchId, answer }) => {
    const before = `<Resource><Uri>${escapeXml(uri)}</Uri><BatchId>${escapeXml(batchId)}</BatchId><Response>`;
    return [
      Buffer.from(before),
      bodyOf(answer).subarray(DECLARATION.length),
      Buffer.from('</Response></Resource>'),
    ];
  });
  return [Buffer.from(`${DECLARATION}<Resources>`), ...documents, Buffer.from('</Resources>')];
}

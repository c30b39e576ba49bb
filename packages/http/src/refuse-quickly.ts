import type { IncomingMessage, ServerResponse } from 'node:http';
import { ServiceError } from '@takt/catalogue/errors';
import { LRUCache } from 'lru-cache';
import { bodyOf } from './answer.js';
import type { Bodies } from './bodies.js';
import { chooseRequestId } from './http-request.js';
import { limitLines, type Serving } from './request-record.js';

/** Reasons for refusing a request without reading it. */
type QuickErrorCode = 'overloaded' | 'requestBudgetSpent' | 'chunksTooSmall';

export type Refuse = (code: QuickErrorCode, request: IncomingMessage, response: ServerResponse) => void;

interface QuickRefusing extends Pick<Serving, 'answerError' | 'fixedHeaders' | 'metrics' | 'logger'> {
  readonly bodies: Bodies;
}

/** A prepared answer. It has gaps into which the request id is written. */
interface Prepared {
  readonly status: number;
  readonly headers: readonly string[];
  readonly contentType: string;
  readonly pieces: readonly string[];
}

/**
 * Text that stands for the request id in a prepared answer. No client can send this text as its request id, because an
 * id contains no `~`.
 */
const GAP = '~request-id~';
/** Maximum number of prepared answers. It is enough for every format in every language, in common spellings. */
const MAX_PREPARED = 200;
const MAX_KEY_LENGTH = 600;
/** Matches the query parameters that determine the format of an error. */
const OPTIONS = /(?:^|&)((?:\$|%24)(?:format|lang)=[^&]*)/gi;

/**
 * Refuses a request at a fiftieth of the cost of an answer, because an overloaded service mostly refuses. Only format
 * and language are read from the request, each answer is prepared once, and only one line per second is logged.
 */
export function createQuickRefuse(options: QuickRefusing): Refuse {
  const { answerError, fixedHeaders, bodies, metrics, logger } = options;
  const prepared = new LRUCache<string, Prepared>({ max: MAX_PREPARED });
  const count = limitLines((refused) => {
    const none = { overloaded: 0, requestBudgetSpent: 0, chunksTooSmall: 0 };
    logger.warn({ ...none, ...refused }, 'requests were refused without being read');
  });

  const prepare = (
    code: QuickErrorCode,
    queryText: string,
    headers: IncomingMessage['headers'],
  ): Prepared => {
    const request = { path: '/', queryText, headers, id: GAP, address: '', pathParameters: {} };
    const answer = answerError(new ServiceError(code), request);
    const all = { ...fixedHeaders, ...answer.headers, 'Cache-Control': 'no-store' };
    const vary = [fixedHeaders['Vary'], answer.headers['Vary']].filter((text) => text !== undefined);
    const varying = vary.length === 0 ? {} : { Vary: vary.join(', ') };
    return {
      status: answer.status,
      headers: Object.entries({ ...all, ...varying }).flat(),
      contentType: answer.headers['Content-Type'] ?? '',
      pieces: bodyOf(answer).toString().split(GAP),
    };
  };

  const find = (code: QuickErrorCode, { url = '', headers }: IncomingMessage): Prepared => {
    const { accept, 'accept-language': language } = headers;
    const queryText = [...url.slice(url.indexOf('?') + 1).matchAll(OPTIONS)]
      .map(([, pair]) => pair)
      .join('&');
    const key = `${code}\n${queryText}\n${accept ?? ''}\n${language ?? ''}`;
    const known = prepared.get(key);
    if (known !== undefined) return known;
    const made = prepare(code, queryText, { accept, 'accept-language': language });
    if (key.length <= MAX_KEY_LENGTH) prepared.set(key, made);
    return made;
  };

  return (code, request, response) => {
    const { status, headers, contentType, pieces } = find(code, request);
    const id = chooseRequestId(request.headers['x-request-id']);
    const body = Buffer.from(pieces.join(id));
    const ends = bodies.endsConnection(request) ? ['Connection', 'close'] : [];
    const own = ['X-Request-Id', id, 'Content-Length', String(body.length), ...ends];
    response.writeHead(status, [...headers, ...own]);
    response.end(body);
    metrics.countRefusal(contentType);
    count(code, 0);
  };
}

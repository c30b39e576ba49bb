import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { SERVED_AT } from '../support/serve-api.js';

/** A requested address, below the base URL, and its answer. */
export interface Visit {
  readonly target: string;
  readonly answer: HttpAnswer;
}

/**
 * The maximum number of requests of a crawl. Lists of a few pages have fewer addresses. A crawl that exceeds the
 * maximum has found links that generate addresses endlessly.
 */
const MAX_VISITS = 5_000;
const WIDTH = 4;

export interface Ways {
  /** Addresses to request. The crawler follows the links in the answers, from page to page. */
  readonly followed: readonly string[];
  /** Addresses to request without following the links in the answers. */
  readonly alone: readonly string[];
}

/**
 * Requests all given addresses with a token. Also requests all addresses of the service that can be reached by links
 * from them.
 */
export async function crawl(
  client: HttpClient,
  token: string,
  { followed, alone }: Ways,
): Promise<readonly Visit[]> {
  const visits: Visit[] = [];
  const [begun, unfollowed] = [new Set(followed), new Set(alone)];
  const known = new Set([...followed, ...alone].map(withoutWording));
  const waiting = [...followed, ...alone];
  const visitNext = async () => {
    for (let target = waiting.shift(); target !== undefined; target = waiting.shift()) {
      // A generated request id is random, so it could contain the digits of a canary by chance.
      const answer = await client.get(target, { 'x-request-id': 'r-1', authorization: `Bearer ${token}` });
      visits.push({ target, answer });
      if (visits.length > MAX_VISITS) throw new Error(`more than ${MAX_VISITS} addresses`);
      // The documentation contains no data of a company, and its links have no format.
      if (unfollowed.has(target) || target.startsWith('/docs')) continue;
      for (const found of addressesIn(answer.text)) {
        const name = withoutWording(found);
        // The crawler does not follow links to other formats, because they would triple the number of requests.
        const isOfAnotherFormat = formatOf(found) !== formatOf(target) && !begun.has(target);
        if (known.has(name) || isOfAnotherFormat) continue;
        known.add(name);
        waiting.push(found);
      }
    }
  };
  // A worker stops when the queue is empty, although another worker may still add addresses. The loop therefore starts
  // the workers again.
  while (waiting.length > 0) await Promise.all(Array.from({ length: WIDTH }, visitNext));
  return visits;
}

/**
 * Returns the address without the parameters that would make the crawl endless. A page in another language holds the
 * same data. HTML pages link to ever more filters, orders and comparison periods. The crawler therefore follows only
 * the first of all addresses that differ only in such parameters. The list `alone` requests these parameters too.
 */
function withoutWording(target: string): string {
  const parameters =
    formatOf(target) === 'html'
      ? '\\$lang|\\$filter|\\$orderby|search|view|unit|\\$top|compare(?:from|to)'
      : '\\$lang';
  return target.replace(new RegExp(`(?<=[?&])(?:${parameters})=[^&]*(?:&|$)`, 'gi'), '');
}

function formatOf(target: string): string | undefined {
  return /[?&]\$format=(\w+)/i.exec(target)?.[1];
}

const ADDRESS = new RegExp(`${SERVED_AT.replaceAll('.', '\\.')}(/[^"'<>\\s]*)`, 'g');

function addressesIn(text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].map(([, target = '']) => target.replaceAll('&amp;', '&'));
}

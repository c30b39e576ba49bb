import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { SERVED_AT } from '../support/serve-api.js';

/** A requested address, below the base URL, and its answer. */
export interface Visit {
  readonly target: string;
  readonly answer: HttpAnswer;
}

/**
 * More than the addresses of lists of a few pages. A crawl beyond it has found a way to generate addresses endlessly.
 */
const MAX_VISITS = 5_000;
const WIDTH = 4;

export interface Ways {
  /** Addresses whose links are followed, from page to page. */
  readonly followed: readonly string[];
  /** Addresses that are only requested. */
  readonly alone: readonly string[];
}

/** Requests every address with a token, and every other address of the service that can be reached by links. */
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
      // A generated request id is random and would sometimes contain a canary's digits.
      const answer = await client.get(target, { 'x-request-id': 'r-1', authorization: `Bearer ${token}` });
      visits.push({ target, answer });
      if (visits.length > MAX_VISITS) throw new Error(`more than ${MAX_VISITS} addresses`);
      // Documents contain nothing of a company, and their links have no format.
      if (unfollowed.has(target) || target.startsWith('/docs')) continue;
      for (const found of addressesIn(answer.text)) {
        const name = withoutWording(found);
        // Following the other formats of every page would triple the requests.
        const isOfAnotherFormat = formatOf(found) !== formatOf(target) && !begun.has(target);
        if (known.has(name) || isOfAnotherFormat) continue;
        known.add(name);
        waiting.push(found);
      }
    }
  };
  // A worker that finds the queue empty may stop too early: the others may still add addresses.
  while (waiting.length > 0) await Promise.all(Array.from({ length: WIDTH }, visitNext));
  return visits;
}

/**
 * Drops parameters that would make the crawl endless. A page in another language holds the same data. Pages for people
 * link to ever more filters, orders and second periods: each is requested alone as well, and only the first of an
 * address is followed.
 */
function withoutWording(target: string): string {
  const parameters =
    formatOf(target) === 'html'
      ? '\\$lang|\\$filter|\\$orderby|search|view|\\$top|compare(?:from|to)'
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

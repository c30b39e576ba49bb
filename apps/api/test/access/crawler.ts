import type { HttpAnswer, HttpClient } from '../support/http-client.js';
import { SERVED_AT } from '../support/serve-api.js';

/** An address that was asked, below the base URL, and what came of it. */
export interface Visit {
  readonly target: string;
  readonly answer: HttpAnswer;
}

/** More than there is to visit in lists of a few pages: a crawl that goes on has found a way to make addresses. */
const MAX_VISITS = 5_000;
const WIDTH = 4;

export interface Ways {
  /** Where links are followed from, from page to page. */
  readonly followed: readonly string[];
  /** What is asked besides. */
  readonly alone: readonly string[];
}

/** Asks with a token for every address, and for every other of the service that is found by following links. */
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
      // A request id of its own would be random, and hold a canary's digits now and then.
      const answer = await client.get(target, { 'x-request-id': 'r-1', authorization: `Bearer ${token}` });
      visits.push({ target, answer });
      if (visits.length > MAX_VISITS) throw new Error(`more than ${MAX_VISITS} addresses`);
      // Documents show nothing of a company, and name no format in their links.
      if (unfollowed.has(target) || target.startsWith('/docs')) continue;
      for (const found of addressesIn(answer.text)) {
        const name = withoutWording(found);
        // The other formats of every page would be three times as many.
        const isOfAnotherFormat = formatOf(found) !== formatOf(target) && !begun.has(target);
        if (known.has(name) || isOfAnotherFormat) continue;
        known.add(name);
        waiting.push(found);
      }
    }
  };
  // Whoever finds nothing to do may be too early: the others may still find something.
  while (waiting.length > 0) await Promise.all(Array.from({ length: WIDTH }, visitNext));
  return visits;
}

/**
 * A page in another language holds the same data. The filters, orders and second periods that pages for people lead to are without end;
 * each is asked alone besides, and only the first of a place is followed.
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

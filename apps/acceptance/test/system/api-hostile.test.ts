import { connect } from 'node:net';
import {
  fetchMemoryBytes,
  opened,
  randomFrom,
  readMainThreadMs,
  shareOf,
  testSeed,
  wantsLongTests,
} from '@takt/test-support';
import { expect } from 'chai';
import { type HostileMessage, hostileMessage } from '../support/hostile-messages.js';
import { type HostileQuery, hostileQuery } from '../support/hostile-queries.js';
import { applicationVersion, storeMasterData, structureVersion } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { APPLICATION_VERSION_ID } from '../support/served-resources.js';
import { type ApiAnswer, inParallel, openTestApi } from '../support/test-api.js';

const QUERIES = shareOf(10_000);
const MESSAGES = shareOf(10_000);
/**
 * Time in ms that the client waits for an answer. After this time, the client considers its message unfinished and ends
 * its side of the connection.
 */
const UNFINISHED_AFTER_MS = 4_000;
/** Time in ms that the client waits for another answer on the same connection. */
const FURTHER_ANSWERS_MS = 5;
/** Maximum time in ms until the API answers or closes a connection after the client has ended its side. */
const MESSAGE_DEADLINE_MS = 15_000;
/**
 * Limit in ms for the duration of an answer. A slower query is repeated. The repetition measures only the processor
 * time of the API, because the database has its own deadline.
 */
const SLOW_MS = 50;
/**
 * Number of times that a slow query is repeated before the test fails. The first attempt may be slow because the API
 * compiles code or collects garbage.
 */
const REPEATS = 4;
const MAX_MEMORY_BYTES = 250_000_000;
const LISTED_FAULTS = 10;
/** Maximum length of an error message. It has room for the longest parameter value and the names of all fields. */
const MAX_MESSAGE_CHARACTERS = 6_000;

/**
 * Errors that state a position in the query. Each value is the index of the position among the parameters of the error
 * message.
 */
const POSITIONS: Readonly<Record<string, number>> = {
  ...{ 100200: 0, 100205: 1, 100209: 1, 100211: 1, 100214: 1, 100215: 1, 100216: 1, 100217: 1 },
};
/** Errors about the query or the path as a whole. Their texts need not name the hostile parameter. */
const OF_THE_WHOLE = [100004, 100005, 100200, 100201, 100202, 100221, 100300];

describe('the API under hostile requests', function () {
  this.timeout(shareOf(300_000, 300_000));
  const seed = testSeed();
  const service = opened(() => openTestApi({ companies: ['TEM-NO'] }));

  before(async () => {
    await storeMasterData(service, [
      ...Array.from({ length: 100 }, (_, index) => structureVersion('TEM-NO', 1 + index)),
      applicationVersion('TEM-NO', APPLICATION_VERSION_ID),
    ]);
  });

  /** Returns the processor time in ms that the main thread of the API spends on an answer. */
  async function busyMsOf(target: string): Promise<number> {
    const before = readMainThreadMs(service.api.pid);
    await service.client.get(target);
    return readMainThreadMs(service.api.pid) - before;
  }

  /**
   * True if the query exceeds the limit of processor time in every attempt. The limit grows with the time of a normal
   * page at the same moment: twice that time is added.
   */
  async function isSlow(query: HostileQuery): Promise<boolean> {
    for (let repeat = 0; repeat <= REPEATS; repeat += 1) {
      const sensibleMs = await busyMsOf(`${LIST}?$top=80`);
      if ((await busyMsOf(query.target)) < SLOW_MS + 2 * sensibleMs) return false;
    }
    return true;
  }

  it(`answers ${QUERIES} hostile queries fast, and names the parameter and the position in each error (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const faults: string[] = [];
    const slow: HostileQuery[] = [];
    const statuses = new Map<number, number>();
    const queries = makeEach(QUERIES, () => hostileQuery(random));
    await inParallel(queries, 2, async (query) => {
      const answer = await service.client.get(query.target, { accept: 'application/json' });
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      if (answer.durationMs > SLOW_MS) slow.push(query);
      faults.push(...faultsOf(query, answer).map((fault) => `${fault}: ${query.target.slice(0, 300)}`));
    });
    console.info(`      ${JSON.stringify(Object.fromEntries(statuses))}, ${slow.length} were slow at first`);
    expect(faults.length, faults.slice(0, LISTED_FAULTS).join('\n')).to.equal(0);
    for (const query of slow) {
      expect(await isSlow(query), `slow: ${query.target}`).to.equal(false);
    }
    expect([...statuses.keys()].sort()).to.deep.equal([200, 400, 403, 404]);
    // Some queries must succeed. Otherwise the test could pass although every query fails early.
    expect(statuses.get(200) ?? 0).to.be.greaterThan(QUERIES / 50);
  });

  it(`answers only with known statuses to ${MESSAGES} messages that are hostile in every part (seed ${seed})`, async () => {
    const random = randomFrom(seed + 1);
    const port = Number(new URL(service.api.origin).port);
    const faults: string[] = [];
    const statuses = new Map<number, number>();
    const messages = makeEach(MESSAGES, () => hostileMessage(random, service.token));
    await inParallel(messages, 4, async (message) => {
      const answered = statusesOf(await exchange(port, message.text));
      for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      const fault = faultOfStatuses(message, answered);
      if (fault !== undefined) faults.push(`${fault}: ${JSON.stringify(message.text.slice(0, 400))}`);
    });
    console.info(`      ${JSON.stringify(Object.fromEntries(statuses))}`);
    expect(faults.length, faults.slice(0, LISTED_FAULTS).join('\n')).to.equal(0);
    expect(statuses.get(200) ?? 0).to.be.greaterThan(MESSAGES / (wantsLongTests() ? 20 : 50));
  });

  it('still runs afterwards with all its rows and no logged error, and uses less than 250 MB', async () => {
    expect(service.api.runs()).to.equal(true);
    expect(service.api.output()).to.equal('');
    const { text } = await service.client.get(
      '/product/structure-versions/aggregated-production-times?$inlinecount=allpages',
    );
    expect(JSON.parse(text).paging.size).to.equal(100);
    const memoryBytes = await fetchMemoryBytes(`${service.api.origin}/metrics`);
    console.info(`      ${Math.round(memoryBytes / 1e6)} MB`);
    expect(memoryBytes).to.be.lessThan(MAX_MEMORY_BYTES);
  });
});

/** Makes items one by one, because a long run has too many to hold at once. */
function* makeEach<Item>(count: number, make: () => Item): Iterable<Item> {
  for (let made = 0; made < count; made += 1) yield make();
}

/**
 * Sends a message, and returns everything that the API sends on the connection. Waits shortly for further answers,
 * because the API may read the body as further messages.
 */
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    // The API cannot know where some messages end, so the client ends its side of the connection once.
    let isTold = false;
    socket.setTimeout(UNFINISHED_AFTER_MS, () => {
      if (isTold) return void socket.destroy();
      isTold = true;
      socket.setTimeout(MESSAGE_DEADLINE_MS);
      socket.end();
    });
    socket.setEncoding('latin1').on('data', (piece) => {
      received += piece;
      isTold = true;
      socket.setTimeout(FURTHER_ANSWERS_MS);
    });
    socket.on('error', () => undefined).on('close', () => resolve(received));
  });
}

function statusesOf(received: string): readonly number[] {
  return [...received.matchAll(/(?:^|[^\n]\n?)HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) =>
    Number(status),
  );
}

/**
 * Describes the fault if there is no answer or an answer has an unexpected status. The API may read a body as further
 * messages, and then sends several answers.
 */
function faultOfStatuses({ method }: HostileMessage, statuses: readonly number[]): string | undefined {
  if (statuses.length === 0) return 'no answer';
  const known = method === 'OPTIONS' ? [204, 400, 403, 404] : [200, 204, 304, 400, 403, 404];
  const odd = statuses.find((status) => !known.includes(status));
  return odd === undefined ? undefined : `status ${odd}`;
}

/** Matches a script that is not the one of every page. */
const OTHER_SCRIPT = /<script(?! src="\/assets\/[\w-]+\/page\.js" defer="">)/;

/** Returns all faults of an answer except a long duration. */
function faultsOf(
  { target, parameter }: HostileQuery,
  { status, headers, text }: ApiAnswer,
): readonly string[] {
  if (![200, 400, 403, 404].includes(status)) return [`status ${status}`];
  const format = /[?&]\$format=(xml|html)\b/.exec(target)?.[1];
  const isJson = String(headers['content-type']).startsWith('application/json');
  if (isJson !== (format === undefined)) return parameter === '$format' ? [] : [`${headers['content-type']}`];
  if (!isJson) return OTHER_SCRIPT.test(text) ? ['an element of the request'] : [];
  const document = JSON.parse(text);
  if (status !== 400) return [];
  const { errorMessageId } = document.errorMessage;
  const values: string[] = document.parameters.map(({ value }: { readonly value: string }) => value);
  const faults: string[] = [];
  const named = `${document.message} ${values.join(' ')}`.toLowerCase();
  if (!OF_THE_WHOLE.includes(errorMessageId) && !named.includes(parameter)) {
    faults.push(`does not name ${parameter}: ${document.message}`);
  }
  const position = POSITIONS[errorMessageId];
  if (position !== undefined && !/^[1-9]\d*$/.test(values[position] ?? '')) faults.push('tells no position');
  if (document.message.length > MAX_MESSAGE_CHARACTERS) {
    faults.push(`a message of ${document.message.length} characters`);
  }
  return faults;
}

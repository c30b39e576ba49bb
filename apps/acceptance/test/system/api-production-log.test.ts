import { createAccessToken } from '@takt/access';
import { type AppProcess, startApp } from '@takt/database/testing';
import { openPublisher } from '@takt/events';
import { addCompany } from '@takt/figures/master-data';
import { randomFrom, shareOf, someOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { disturbRows } from '../support/disturb-rows.js';
import {
  identifiersInOrder,
  type OrderItem,
  orderByText,
  type SortRows,
  sortFields,
  sortRowsOf,
} from '../support/expected-order.js';
import { LIST, type Page, walk } from '../support/production-times.js';
import { type ProductionLog, readProductionLog } from '../support/read-production-log.js';
import { figureTexts, plain, type ServedFigures, servedFiguresOf } from '../support/served-figures.js';
import {
  type ApiClient,
  inParallel,
  openApiClient,
  TOKEN_LIFETIME_MS,
  untilServed,
} from '../support/test-api.js';
import { openTestSystem, type TestSystem } from '../support/test-system.js';

const COMPANY = 'TEM-NO';
const [LIST_OF_VERSIONS, FIGURES] = ['/product/structure-versions', 'aggregated-production-times'];
const DRAIN_DEADLINE_MS = 60_000;
const ROWS = 274;
const PARALLEL = 4;
const MIXED_ORDERS = 20;
const ORDERS_BY_ROW = 8;
/** Number of rounds in which rows are changed while the test reads the lists. */
const ROUNDS = 100;
const MOVED_ROWS = 40;

describe('the API with the log of a real factory', function () {
  this.timeout(180_000);
  const seed = testSeed();
  const singles = sortFields.flatMap((field) => [
    [{ field, isDescending: false }],
    [{ field, isDescending: true }],
  ]);
  const mixed = mixedOrders(seed);
  let log: ProductionLog;
  let system: TestSystem;
  let api: AppProcess;
  let client: ApiClient;
  let rows: SortRows;

  before(async function () {
    log = readProductionLog(this);
    rows = sortRowsOf(log);
    system = await openTestSystem(this, 'postgres');
    await addCompany(system.database, COMPANY, 'Production log');
    await system.startWorkers(1);
    const publisher = await openPublisher(system.queueUrl);
    await publisher.publish(log.events, { batchSize: 500 });
    await publisher.close();
    await system.drain(DRAIN_DEADLINE_MS);
    const { token } = await createAccessToken(system.database, {
      companyCodes: [COMPANY],
      expiresInMs: TOKEN_LIFETIME_MS,
    });
    api = await startApp('api', { databaseUrl: system.databaseUrl });
    client = openApiClient(api, token, PARALLEL);
  });
  after(async () => {
    client?.close();
    await api?.stop();
    await system?.close();
  });

  /** Returns the documents of all pages of the list in a format. */
  async function readDocuments(format: string, pageSize: number): Promise<readonly string[]> {
    const documents: string[] = [];
    let target = `${LIST}?$format=json&$select=ProductStructureVersionId&$top=${pageSize}`;
    for (let link: string | null = target; link !== null; ) {
      const formatted = target.replace('$format=json', `$format=${format}`).replace(/&\$select=\w+/, '');
      documents.push((await untilServed(() => client.get(formatted))).text);
      const current = target;
      const answer = await untilServed(() => client.get(current));
      expect(answer.status).to.equal(200);
      link = JSON.parse(answer.text).paging.nextPage;
      target = link?.slice(api.baseUrl.length) ?? '';
    }
    return documents;
  }

  for (const format of ['json', 'jsonstream', 'xml'] as const) {
    it(`returns all digits of every expected figure as ${format}`, async () => {
      const served = new Map<string, ServedFigures>();
      for (const text of await readDocuments(format, 80)) {
        for (const [identifier, figures] of servedFiguresOf(format, text)) served.set(identifier, figures);
      }
      const expected = Object.entries(log.expected).map(([identifier, figures]) => [
        identifier,
        plain(figures),
      ]);
      expect(served.size).to.equal(ROWS);
      expect(Object.fromEntries(served)).to.deep.equal(Object.fromEntries(expected));
    });
  }

  it('shows all digits of every expected figure on the page of its structure version', async () => {
    await inParallel(Object.entries(log.expected), PARALLEL, async ([identifier, figures]) => {
      const target = `${LIST_OF_VERSIONS}/${identifier}/${FIGURES}?$format=html`;
      const { status, text } = await untilServed(() => client.get(target));
      expect(status, text).to.equal(200);
      // A table cell shows two decimals and has all digits in its title attribute. The sentence above the table states
      // the number of operations.
      const [compared = ''] = /<table class="list figures">.*?<\/table>/s.exec(text) ?? [];
      const [facts = ''] = /<p class="summary">.*?<\/p>/s.exec(text) ?? [];
      const titles = Array.from(compared.matchAll(/ title="([^" ]+) [h%]"/g), ([, value]) => value);
      const shown = [...titles, ...Array.from(facts.matchAll(/: (\d+)/g), ([, value]) => value)];
      for (const value of figureTexts(plain(figures))) {
        const at = shown.indexOf(value);
        expect(at, `${value} of ${identifier} in ${shown.join(' ')}`).to.be.at.least(0);
        // Removes the found element, because two equal figures need two elements.
        shown.splice(at, 1);
      }
    });
  });

  /** Expects the pages to contain every row once and in order. Each page must state the position of its first row. */
  function expectAllInOrder(pages: readonly Page[], order: readonly OrderItem[], what: string) {
    const met = pages.flatMap(({ identifiers }) => identifiers);
    expect(met, what).to.deep.equal(identifiersInOrder(rows, order));
    let position = 1;
    for (const { identifiers, paging } of pages) {
      expect(paging['position'], what).to.equal(position);
      position += identifiers.length;
    }
  }

  async function expectWalks(walks: readonly Walk[]) {
    await inParallel(walks, PARALLEL, async ({ order, pageSize, direction }) => {
      const parameters = `$top=${pageSize}&$orderby=${encodeURIComponent(orderByText(order))}`;
      const pages = await walk(client, parameters, direction);
      expectAllInOrder(pages, order, `${direction}, ${pageSize} a page, ${orderByText(order)}`);
    });
  }

  const orders = [...singles, ...mixed];
  // One-row pages need a request for each row, so only some orders are read with one-row pages. The tests of the API
  // read every order with one-row pages, over fewer rows.
  const walkedByRow = randomFrom(seed).shuffle(orders).slice(0, shareOf(ORDERS_BY_ROW));
  for (const direction of ['forward', 'backward'] as const) {
    for (const [pageSize, walked] of [
      [1, walkedByRow],
      [7, someOf(orders)],
      [80, someOf(orders)],
    ] as const) {
      it(`returns all rows once and in order, ${direction}, ${pageSize} a page, for ${walked.length} of 54 orders (seed ${seed})`, async () => {
        await expectWalks(walked.map((order) => ({ order, pageSize, direction })));
      });
    }
  }

  it(`returns every unchanged row once while other rows are inserted, moved and deleted (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const moved = random.shuffle(rows.keys()).slice(0, MOVED_ROWS);
    const staying = new Map([...rows].filter(([identifier]) => !moved.includes(identifier)));
    const orders = ['RunTime asc', 'AverageRunTime desc', 'ProductName asc', 'ProductName desc,RunTime asc'];
    const walks = someOf(orders).flatMap((order) =>
      [1, 7].flatMap((pageSize) =>
        (['forward', 'backward'] as const).map((direction) => ({ order, pageSize, direction })),
      ),
    );
    const disturbance = disturbRows(system.pool, moved, random);
    const walkAll = () =>
      inParallel(walks, PARALLEL, async ({ order, pageSize, direction }) => {
        const parameters = `$top=${pageSize}&$orderby=${encodeURIComponent(order)}`;
        const pages = await walk(client, parameters, direction);
        const met = pages.flatMap(({ identifiers }) => identifiers);
        const what = `${direction}, ${pageSize} a page, ${order}`;
        const metStaying = met.filter((identifier) => staying.has(identifier));
        expect(metStaying, what).to.deep.equal(identifiersInOrder(staying, parseOrder(order)));
        const others = met.filter((identifier) => !rows.has(identifier));
        expect(others, `inserted twice: ${what}`).to.have.lengthOf(new Set(others).size);
      });
    try {
      do await walkAll();
      while (disturbance.rounds() < ROUNDS);
    } finally {
      await disturbance.stop();
      console.info(`      ${disturbance.rounds()} rounds of changes meanwhile`);
    }
  });
});

interface Walk {
  readonly order: readonly OrderItem[];
  readonly pageSize: number;
  readonly direction: 'forward' | 'backward';
}

/** Returns random orders by two to four different fields. Each field has its own direction. */
function mixedOrders(seed: number): readonly (readonly OrderItem[])[] {
  const random = randomFrom(seed);
  return Array.from({ length: MIXED_ORDERS }, () =>
    random
      .shuffle(sortFields)
      .slice(0, 2 + random.below(3))
      .map((field) => ({ field, isDescending: random() < 0.5 })),
  );
}

function parseOrder(text: string): readonly OrderItem[] {
  return text.split(',').map((item) => {
    const [field = '', direction] = item.split(' ');
    return { field, isDescending: direction === 'desc' };
  });
}

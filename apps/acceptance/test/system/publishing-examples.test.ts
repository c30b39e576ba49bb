import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAccessToken } from '@takt/access';
import { type AppProcess, appUrlOf, startApp } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { leaveOut, needsProgram, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { blocksOf, readDocument } from '../support/examples.js';
import {
  type EmptyFolder,
  type Example,
  findTypeErrors,
  follow,
  isRegistryReachable,
  makeEmptyFolder,
  packEvents,
  readExamples,
} from '../support/readme-examples.js';
import { readServedFigures } from '../support/served-figures.js';
import {
  openTestSystem,
  type QueueStoreKind,
  queueStoreKinds,
  type TestSystem,
} from '../support/test-system.js';

const PAGE = 'docs/publishing.md';
const DEADLINE_MS = 200_000;
const ARRIVAL_DEADLINE_MS = 20_000;

/**
 * Runs of the examples on the page, each with a kind of queue. `way` 1 selects the second block of commands; the
 * default is the first.
 */
const RUNS: readonly { readonly heading: string; readonly on: QueueStoreKind; readonly way?: 1 }[] = [
  { heading: 'With curl', on: 'redis' },
  { heading: 'With curl', on: 'postgres' },
  { heading: "With Python's standard library", on: 'redis' },
  { heading: 'With the CloudEvents SDK for JavaScript', on: 'redis' },
  { heading: 'With our publisher', on: 'redis' },
  { heading: 'With our publisher', on: 'postgres', way: 1 },
  { heading: 'With BullMQ alone, on Redis', on: 'redis' },
  { heading: 'With BullMQ alone, on PostgreSQL', on: 'postgres' },
];
/**
 * The example that no test runs. It requires pip, but some Python installations lack pip. The tests of the publisher
 * check the event of this example.
 */
const NOT_RUN = ['With BullMQ alone, in Python'];

describe('the publishing examples', () => {
  it('are all run by a test, in all variants', async () => {
    const examples = await readExamples(PAGE, 'With ');
    const ways = examples.flatMap(({ heading, commands }) => commands.map((_, way) => `${heading} ${way}`));
    expect(examples.map(({ heading }) => heading)).to.include.members(NOT_RUN);
    expect(ways).to.have.members([...new Set(RUNS.map(({ heading, way = 0 }) => `${heading} ${way}`))]);
  });
});

const taken = someOf(RUNS, 3);
for (const kind of queueStoreKinds) {
  describe(`the publishing examples with the queue in ${kind}`, function () {
    this.timeout(DEADLINE_MS);
    let system: TestSystem;
    let intake: AppProcess;
    let environment: Record<string, string>;
    let examples: readonly Example[];
    let folder: EmptyFolder;

    before(async function () {
      needsProgram(this, 'curl');
      needsProgram(this, 'python3');
      if (!(await isRegistryReachable())) {
        leaveOut(this, 'the registry of packages cannot be reached (npm ping)');
      }
      examples = await readExamples(PAGE, 'With ');
      system = await openTestSystem(this, kind);
      await addCompany(system.database, 'TEM-NO', 'Tempus Norge');
      const { token } = await createAccessToken(system.database, {
        companyCodes: ['TEM-NO'],
        expiresInMs: 3_600_000,
        mayPublish: true,
      });
      await system.startWorkers(1);
      intake = await startApp('intake', { databaseUrl: system.databaseUrl, queueUrl: system.queueUrl });
      environment = {
        INTAKE_URL: intake.origin,
        TAKT_TOKEN: token,
        QUEUE_URL: await appUrlOf(system.queueUrl, 'intake'),
      };
    });
    after(async () => {
      await intake?.stop();
      await system?.close();
    });
    beforeEach(async () => {
      folder = await makeEmptyFolder();
    });
    afterEach(() => folder.close());

    const countCompletions = async () => {
      const figures = await readServedFigures(system.pool, 'TEM-NO');
      return figures['100001']?.numberOfCompletedProductionWorkOrders ?? 0;
    };

    for (const { heading, way = 0 } of taken.filter(({ on }) => on === kind)) {
      it(`run in an empty folder, and change the figure of their structure version: ${heading}`, async () => {
        const example = examples.find((candidate) => candidate.heading === heading);
        if (example === undefined) throw new Error(`${PAGE} has no "${heading}"`);
        const commands = example.commands[way] ?? '';
        if (commands.includes('takt-events')) await packEvents(folder.path);
        const before = await countCompletions();
        await follow(folder.path, example, commands, environment);
        const hasArrived = async () => (await countCompletions()) === before + 1;
        await waitUntil('the figure counts one more completion', hasArrived, ARRIVAL_DEADLINE_MS);
        if (commands.includes('takt-events')) {
          await writeFile(join(folder.path, 'publish.mts'), typed(example.program ?? ''));
          const [readme = ''] = blocksOf(await readDocument('packages/events/README.md'), 'ts');
          await writeFile(join(folder.path, 'readme.mts'), readme);
          expect(await findTypeErrors(folder.path, ['publish.mts', 'readme.mts'])).to.equal('');
        }
      });
    }
  });
}

/** Adapts the program to TypeScript. In TypeScript an environment variable may be undefined. */
function typed(program: string): string {
  return program.replace('process.env.QUEUE_URL', "process.env['QUEUE_URL'] ?? ''");
}

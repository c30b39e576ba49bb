import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type EmptyProject, parseXml } from '@takt/test-support';
import { expect } from 'chai';

/** Checks the output of an example. Throws if the output is wrong. */
export type Check = (output: string, project: EmptyProject) => unknown;

const matches =
  (...patterns: readonly RegExp[]): Check =>
  (output) => {
    for (const pattern of patterns) expect(output).to.match(pattern);
  };

/** Checks an example that prints nothing. The example only has to succeed. */
const nothing: Check = (output) => expect(output.trim()).to.equal('');

type Row = Readonly<Record<string, unknown>>;

/** Returns the rows of a JSON document with a list. */
export function rowsIn(output: string): readonly Row[] {
  const { paging, ...lists } = JSON.parse(output);
  expect(paging, output.slice(0, 500)).to.include.keys('pageSize', 'nextPage');
  const [rows] = Object.values(lists);
  if (!Array.isArray(rows)) throw new Error(`no list: ${output.slice(0, 500)}`);
  return rows;
}

/** The checks for the lines of the section "Look around" in the README. */
export const lookAround: readonly Check[] = [
  matches(/^work-order-operations /m, /^reference-data /m, /400 structure versions/),
  matches(/audited 400 structure versions, 0 differences/),
  nothing,
  matches(/^ +\d{6} {2}(run|setup|cleanup) +\d+ /m),
  async (_, { folder }) => expect((await stat(join(folder, 'takt.backup'))).size).to.be.above(100_000),
  matches(/added TEM-DK/),
  matches(/published \d{4}/),
  matches(/failed 0/),
];

/** Expects the five rows with the most hours over plan. `group` is the name of the field group that contains the hours. */
const mostHoursLost =
  (group: string): Check =>
  (output) => {
    const hours = rowsIn(output).map((row) => Object(row[group]).hoursOverPlan);
    expect(hours).to.have.lengthOf(5);
    expect(hours).to.deep.equal([...hours].sort((one, other) => other - one));
    expect(hours[4]).to.be.above(0);
  };

/**
 * The checks for the paragraphs of the section "Read figures" in the README. The first paragraph only sets the address
 * of the API.
 */
export const readFigures: readonly Check[] = [nothing, mostHoursLost('planComparison')];

/** The checks for the paragraphs of "Every request needs a token", up to the registration of a program. */
export const askWhoIAm: readonly Check[] = [
  nothing,
  (output) => expect(JSON.parse(output)).to.have.nested.property('session.database', 'TEM-NO'),
];

/** The checks for the paragraphs of "Lists". */
export const readLists: readonly Check[] = [
  mostHoursLost('planComparison'),
  mostHoursLost('aggregatedProductionTimes'),
  async (output, project) => {
    nothing(output, project);
    const lines = (await project.read('production-times.csv')).split('\r\n');
    expect(lines[0]).to.match(/^\uFEFFProductStructureVersionId;.*;HoursOverPlan;/);
    expect(lines).to.have.length.above(100);
    expect(lines[1]).to.match(/;\d+,\d+;/);
  },
  (output) => {
    const keys = rowsIn(output).map(
      (row) => Object(row['productStructureVersion']).productStructureVersionKey,
    );
    expect(keys).to.have.lengthOf(5);
    expect(keys).to.deep.equal(keys.toSorted());
    for (const key of keys) expect(key).to.match(/^AR-10001\d$/);
  },
  (output) => {
    const { summary } = JSON.parse(output);
    expect(rowsIn(output)).to.have.lengthOf(1);
    expect(summary.numberOfRows).to.be.within(10, 400);
    expect(summary.hoursOverPlan)
      .to.be.closeTo(summary.actualHours - summary.plannedHours, 1e-6)
      .and.above(0);
  },
  (output) => {
    const months = rowsIn(output).map(({ month }) => String(month));
    expect(months).to.have.length.above(5);
    expect(months).to.deep.equal([...months].sort().reverse());
  },
  (output) => {
    const { aggregatedProductionTimeDistribution: distribution } = JSON.parse(output);
    const { percentile10, percentile50, percentile90, bins, count } = distribution;
    expect(percentile10).to.be.below(percentile50);
    expect(percentile50).to.be.below(percentile90);
    expect(bins.reduce((sum: number, bin: { count: number }) => sum + bin.count, 0)).to.equal(count);
    expect(bins).to.have.length.within(3, 30);
  },
  (output) => {
    const hours = rowsIn(output).map((row) => Object(row['aggregatedProductionTimes']).hoursOverPlan);
    expect(hours).to.have.length.above(5);
    expect(hours).to.deep.equal(hours.toSorted((one, other) => other - one));
  },
  (output) => {
    const rows = rowsIn(output);
    expect(rows).to.have.lengthOf(5);
    const times = rows.map(({ runTime }) => Number(runTime));
    expect(times).to.deep.equal(times.toSorted((one, other) => other - one));
    for (const { completedAt } of rows) expect(String(completedAt) >= '2025-09-01').to.equal(true);
  },
  (output) => {
    const { workOrderOperation } = JSON.parse(output);
    expect(workOrderOperation.newestEvent.eventId).to.match(/^work-order-operation-1000001-\d+$/);
  },
  (output) => {
    const compared = rowsIn(output).map((row) => Object(row['planComparison']).processing);
    expect(compared).to.have.lengthOf(5);
    for (const { runTimeVerdict, runTimeDifference } of compared) {
      expect([runTimeVerdict, runTimeDifference > 0]).to.deep.equal(['over', true]);
    }
  },
  (output) => {
    expect(parseXml(output).name).to.equal('ProductStructureVersionAggregatedProductionTimes');
    for (const piece of ['<StatusDescription>aktiv<', '<NextPageKey>', '<AverageRunTime>', '<Size>']) {
      expect(output).to.include(piece);
    }
  },
  (output) => {
    const messages = rowsIn(output);
    expect(messages).to.have.length.above(1);
    for (const { message } of messages) expect(message).to.match(/page/i);
  },
];

/** The check for the paragraph of "Errors say what to do". */
export const readAnError: readonly Check[] = [
  (output) => {
    const error = JSON.parse(output);
    expect(error.hTTPStatusCode).to.equal('400');
    expect(error.translatedMessage).to.include('adn').and.not.equal(error.message);
  },
];

/**
 * The checks for the second block of "Every request needs a token". The line that registers the program has no check
 * here.
 */
export const askForToken: readonly Check[] = [
  matches(/^client 2 is permitted: error-messages, production-times$/m),
  (output) => expect(JSON.parse(output)).to.include({ token_type: 'Bearer', is_target_test_system: false }),
  matches(/^pid \d+$/m, /^password \S+$/m),
  matches(/^ *\d+ /m),
];

/** The checks for the lines that the program in docs/client.md prints. */
export const clientProgram: readonly Check[] = [
  ...[0, 1, 2].map(() => matches(/^\S.* \d+(\.\d+)?$/)),
  matches(/^3 and more: await page\.next\(\)$/),
  matches(/^10001 \S/),
  matches(/^\d{2,} products$/),
  matches(/^\d+\.\d+ hours$/),
  matches(/^\S.*\d\d$/),
  matches(/^100\d{3}$/),
  matches(/^ProductId ProductKey Status Name /),
  matches(/^2 neu$/),
  matches(/^TEM-NO$/),
  matches(/^\S+\.csv$/),
  matches(/^400 100209 .*\$filter/),
];

/** Runs the check at the same position on each output. Fails if an example has no check. */
export async function expectAll(
  outputs: readonly string[],
  checks: readonly Check[],
  project: EmptyProject,
): Promise<void> {
  expect(outputs).to.have.lengthOf(checks.length);
  for (const [index, check] of checks.entries()) await check(outputs[index] ?? '', project);
}

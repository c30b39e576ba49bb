import { type EventInput, parseEvent } from '@takt/events';
import { type GenerateOptions, generateEvents as generate } from '@takt/events/generator';
import { queueOf } from '@takt/events/internal';
import { expect } from 'chai';

const MANY: GenerateOptions = {
  events: 20_000,
  structureVersions: 300,
  companies: ['TEM-NO', 'TEM-SE'],
  corrections: 0.05,
  duplicates: 0.1,
};

/** A generated event. The fields of its data can be read by name, whatever its type. */
type GeneratedEvent = EventInput & {
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
};

const generateEvents = (options: GenerateOptions) => generate(options) as Generator<GeneratedEvent, void>;

describe('generateEvents', () => {
  const many = [...generateEvents(MANY)];
  const operations = many.filter(isOperation);

  it('generates only events that the contract allows', () => {
    const problems = many.map(parseEvent).filter((result) => !result.ok);
    expect(problems).to.deep.equal([]);
  });

  it('generates the same events for the same options, and different events for another seed', () => {
    const text = (options: GenerateOptions) => JSON.stringify([...generateEvents(options)]);
    const small = { ...MANY, events: 2_000 };
    expect(text(small)).to.equal(text({ ...small, seed: 1 }));
    expect(text(small)).to.not.equal(text({ ...small, seed: 2 }));
  });

  it('does not change the original events when it adds duplicates', () => {
    const without = [...generateEvents({ ...MANY, duplicates: 0 })];
    expect(new Set(many.map(identity))).to.deep.equal(new Set(without.map(identity)));
  });

  it('names the same objects by keys in every second company if asked', () => {
    const keyed = [...generateEvents({ ...MANY, keys: true })];
    expect(keyed.filter((event) => !parseEvent(event).ok)).to.deep.equal([]);
    expect(keyed.map(({ id, time }) => [id, time])).to.deep.equal(many.map(({ id, time }) => [id, time]));
    const namesIn = (events: readonly GeneratedEvent[]) =>
      new Set(
        events.flatMap(({ data }) => data['workOrderOperationKey'] ?? data['workOrderOperationId'] ?? []),
      );
    const ofCompany = (code: string) => keyed.filter(({ data }) => data['database'] === code);
    expect([...namesIn(ofCompany('TEM-NO'))].every(Number.isInteger)).to.equal(true);
    expect([...namesIn(ofCompany('TEM-SE'))].every((key) => /^FA-\d+\/00\d0$/.test(String(key)))).to.equal(
      true,
    );
    expect(namesIn(ofCompany('TEM-SE')).size).to.equal(
      namesIn(many.filter(({ data }) => data['database'] === 'TEM-SE')).size,
    );
  });

  it('starts with the master data of every structure version', () => {
    const first = many.findIndex(isOperation);
    const masterData = many.slice(0, first);
    const structureVersions = masterData.filter(isStructureVersion);
    expect(new Set(structureVersions.map(structureVersionOf)).size).to.equal(300);
    expect(masterData.some(({ type }) => type === 'application-version.changed.v1')).to.equal(true);
    expect(many.slice(first).every(isOperation)).to.equal(true);
    const known = new Set(structureVersions.map(structureVersionOf));
    const unknown = operations.filter(isCompletion).filter((event) => !known.has(structureVersionOf(event)));
    expect(unknown).to.deep.equal([]);
  });

  it('generates exactly the requested numbers of events, corrections and copies', () => {
    const distinct = withoutCopies(operations);
    expect(distinct.length).to.equal(20_000);
    expect(operations.length).to.equal(22_000);
    const corrections = distinct.filter(({ data }) => data['revision'] !== 1);
    expect(corrections.length).to.equal(1_000);
  });

  it('moves some operations to another structure version, and completes some reopened operations again', () => {
    const byOperation = groupBy(withoutCopies(operations), operationOf);
    const histories = [...byOperation.values()];
    const moved = histories.filter(
      (history) => new Set(history.filter(isCompletion).map(structureVersionOf)).size > 1,
    );
    const completedAgain = histories.filter((history) =>
      history.some((event, index) => !isCompletion(event) && history.slice(index + 1).some(isCompletion)),
    );
    expect(moved.length).to.be.above(50);
    expect(completedAgain.length).to.be.above(50);
  });

  it('spreads the events over the 364 days before the given instant, in whole seconds', () => {
    const timesOf = (options: GenerateOptions) => [...generateEvents(options)].map(({ time }) => time);
    const given = timesOf({ events: 1_000, until: '2026-03-01T12:00:00.5Z' });
    expect(given[0]).to.equal('2025-03-02T12:00:00Z');
    expect(given.at(-1)).to.match(/^2026-03-01T(0\d|1[01]):/);
    expect(given.filter((time) => time < '2025-08-31T12:00:00Z').length).to.be.within(500, 800);
    expect(given.filter((time) => !/:\d\dZ$/.test(time))).to.deep.equal([]);
    expect(timesOf({ events: 9 })).to.deep.equal(timesOf({ events: 9, until: '2025-12-26T22:00:00Z' }));
  });

  it('increases revisions and times', () => {
    const originals = withoutCopies(operations);
    const times = originals.map(({ time }) => time);
    expect(times).to.deep.equal([...times].sort());
    for (const history of groupBy(originals, operationOf).values()) {
      const revisions = history.map(({ data }) => Number(data['revision']));
      expect(revisions).to.deep.equal([...revisions].sort((one, other) => one - other));
    }
  });

  it('omits some setup and cleanup times, and uses few structure versions for most completions', () => {
    const completions = operations.filter(isCompletion);
    const withoutSetup = completions.filter(({ data }) => data['setupTime'] === undefined).length;
    expect(withoutSetup / completions.length).to.be.within(0.05, 0.6);
    const counts = [...groupBy(completions, structureVersionOf).values()]
      .map((events) => events.length)
      .sort((one, other) => other - one);
    const topFifth = counts.slice(0, 60).reduce((sum, count) => sum + count, 0);
    expect(topFifth / completions.length).to.be.above(0.6);
    expect(counts.length).to.be.above(280);
  });

  it('scatters run times around the planned run times, with a clear outlier now and then', () => {
    const ratios = ratiosToPlan(many).sort((one, other) => one - other);
    expect(ratios[Math.floor(ratios.length / 2)]).to.be.within(0.9, 1.2);
    expect(ratios[Math.floor(ratios.length * 0.05)]).to.be.below(0.75);
    expect(ratios[Math.floor(ratios.length * 0.95)]).to.be.above(1.4);
    expect(ratios.filter((ratio) => ratio > 5).length, 'forgotten clocks').to.be.within(3, 30);
  });

  it('rounds the number of corrections to the nearest whole number', () => {
    const countCorrections = (events: number, corrections: number) =>
      [...generateEvents({ events, corrections, structureVersions: 3 })]
        .filter(isOperation)
        .filter(({ data }) => data['revision'] !== 1).length;
    expect(countCorrections(10, 0.26)).to.equal(3);
    expect(countCorrections(10, 0.24)).to.equal(2);
    expect(countCorrections(1_000, 0.0196)).to.equal(20);
  });

  it('gives a reopened operation the time of its new completion', () => {
    let again = 0;
    for (const history of groupBy(withoutCopies(operations), operationOf).values()) {
      for (const [index, event] of history.entries()) {
        const before = history[index - 1];
        if (before === undefined || isCompletion(before)) continue;
        expect(event.data['completedAt']).to.equal(event.time);
        again += 1;
      }
    }
    expect(again).to.be.above(50);
  });

  it('uses all digits of a long seed, and gives each company other plans and names in another language', () => {
    const namesOf = (seed: number, company: string) =>
      [...generateEvents({ events: 0, structureVersions: 40, companies: ['A', 'B'], seed })]
        .filter((event) => isStructureVersion(event) && event.data['database'] === company)
        .map(({ data }) => JSON.stringify([data['name'], data['plannedProductionTimes']]));
    expect(namesOf(1, 'A')).not.to.deep.equal(namesOf(1 + 2 ** 32, 'A'));
    expect(namesOf(1, 'A')).not.to.deep.equal(namesOf(1, 'B'));
    expect(namesOf(1, 'A').join()).to.include('Gear Housing 40 - ').and.not.to.match(/[æøå]/);
    expect(namesOf(1, 'B').join()).to.include('Girhus 40 - ').and.to.match(/ø/);
  });

  it('generates some setup times of zero', () => {
    const completions = operations.filter(isCompletion);
    const reported = completions.filter(({ data }) => data['setupTime'] !== undefined);
    const none = reported.filter(({ data }) => data['setupTime'] === 0).length;
    expect(none / reported.length).to.be.within(0.03, 0.07);
  });

  it('reports the name of an option that is out of range', () => {
    const expectRefusal = (name: string, options: Partial<GenerateOptions>) =>
      expect(() => generateEvents({ events: 1, ...options }).next()).to.throw(RangeError, name);
    expectRefusal('events', { events: -1 });
    expectRefusal('corrections', { corrections: 2 });
    expectRefusal('duplicates', { duplicates: Number.NaN });
    expectRefusal('structureVersions', { companies: ['A', 'B'], structureVersions: 1 });
    expectRefusal('companies', { companies: [] });
    expectRefusal('until', { until: '2025-02-29T12:00:00Z' });
    expectRefusal('until', { until: '0001-06-01T12:00:00Z' });
  });

  it('keeps only a few events in memory, even if it generates many', () => {
    const events = generateEvents({ events: 1e12, corrections: 0.05, duplicates: 0.1 });
    let taken = 0;
    for (const event of events) if (isOperation(event) && ++taken === 1_000) break;
    expect(taken).to.equal(1_000);
  });
});

function isOperation({ type }: GeneratedEvent): boolean {
  return queueOf(type) === 'work-order-operations';
}

function isCompletion({ type }: GeneratedEvent): boolean {
  return type === 'work-order-operation.completed.v1';
}

function isStructureVersion({ type }: GeneratedEvent): boolean {
  return type === 'product-structure-version.changed.v1';
}

function withoutCopies(events: readonly GeneratedEvent[]): readonly GeneratedEvent[] {
  return [...new Map(events.map((event) => [identity(event), event])).values()];
}

function groupBy(
  events: readonly GeneratedEvent[],
  keyOf: (event: GeneratedEvent) => string,
): ReadonlyMap<string, readonly GeneratedEvent[]> {
  const groups = new Map(events.map((event): [string, GeneratedEvent[]] => [keyOf(event), []]));
  for (const event of events) groups.get(keyOf(event))?.push(event);
  return groups;
}

function identity({ source, id }: GeneratedEvent): string {
  return `${source} ${id}`;
}

function operationOf({ data }: GeneratedEvent): string {
  return `${data['database']} ${data['workOrderOperationId']}`;
}

function structureVersionOf({ data }: GeneratedEvent): string {
  return `${data['database']} ${data['productStructureVersionId']}`;
}

/** Returns the ratio of the actual to the planned run time of each completion. */
function ratiosToPlan(events: readonly GeneratedEvent[]): number[] {
  const planOf = ({ data }: GeneratedEvent) => data['plannedProductionTimes'] as { readonly runTime: number };
  const plans = new Map(
    events.filter(isStructureVersion).map((event) => [structureVersionOf(event), planOf(event).runTime]),
  );
  return events
    .filter(isCompletion)
    .map((event) => Number(event.data['runTime']) / (plans.get(structureVersionOf(event)) ?? 0));
}

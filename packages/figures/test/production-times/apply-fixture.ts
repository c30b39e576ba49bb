import { createTestDatabase } from '@takt/database/testing';
import type { WorkOrderOperationCompleted, WorkOrderOperationReopened } from '@takt/events';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  type IneffectiveOutcome,
  type WorkOrderOperationEvent,
} from '../../src/production-times/index.js';
import { registerCompany } from './companies.js';
import { completed, reopened } from './events.js';
import { readServedFigures, type ServedFigures } from './served-figures.js';

/** What the tests of one suite do with the company that each of them has to itself. */
export interface ApplyFixture {
  readonly pool: () => pg.Pool;
  readonly database: () => string;
  completed(fields?: Partial<WorkOrderOperationCompleted>): WorkOrderOperationCompleted;
  reopened(fields?: Partial<WorkOrderOperationReopened>): WorkOrderOperationReopened;
  /** Applies the events as one batch; gives those without effect by their position. */
  apply(...events: readonly WorkOrderOperationEvent[]): Promise<Readonly<Record<string, IneffectiveOutcome>>>;
  allFigures(): Promise<Map<number, ServedFigures>>;
  /** Of a structure version; 100 is where completions go that name none. */
  figuresOf(version: number): Promise<ServedFigures | undefined>;
}

/** To be called in a `describe`: a database for the suite, a company for each test, an audit after each. */
export function useApplyFixture(): ApplyFixture {
  const test = opened(createTestDatabase);
  let database: string;
  const pool = () => test.database.pool;
  const allFigures = () => readServedFigures(pool(), database);

  beforeEach(async () => {
    database = await registerCompany(pool());
  });
  afterEach('the audit agrees', async () => {
    const { differences } = await auditProductionTimes(pool(), { database });
    expect(differences).to.deep.equal([]);
  });

  return {
    pool,
    database: () => database,
    completed: (fields) => completed({ database, ...fields }),
    reopened: (fields) => reopened({ database, ...fields }),
    apply: async (...events) => Object.fromEntries(await applyWorkOrderOperationEvents(pool(), events)),
    allFigures,
    figuresOf: async (version) => (await allFigures()).get(version),
  };
}

import { createTestDatabase } from '@takt/database/testing';
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
import { type Completed, completed, type Reopened, reopened } from './events.js';
import { readServedFigures, type ServedFigures } from './served-figures.js';

/** Helpers for tests. Each test has its own company. */
export interface ApplyFixture {
  readonly pool: () => pg.Pool;
  readonly database: () => string;
  completed(fields?: Partial<Completed>): Completed;
  reopened(fields?: Partial<Reopened>): Reopened;
  /**
   * Applies the events as one batch. Returns the outcome of each event without effect, by its position in the batch.
   */
  apply(...events: readonly WorkOrderOperationEvent[]): Promise<Readonly<Record<string, IneffectiveOutcome>>>;
  allFigures(): Promise<Map<number, ServedFigures>>;
  /**
   * Returns the figures of a structure version. The operations of the helper `completed` belong to structure version
   * 100 by default.
   */
  figuresOf(version: number): Promise<ServedFigures | undefined>;
}

/**
 * To be called in a `describe`. Creates a database for the suite and a company for each test, and audits the figures
 * after each test.
 */
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

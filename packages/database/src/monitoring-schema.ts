import { doublePrecision, integer, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant, takt, wholeNumber } from './columns.js';

/** How each worker stands with each queue, as it told last. */
export const workerReports = takt.table(
  'worker_reports',
  {
    /** Of one run of a worker. */
    workerId: uuid('worker_id').notNull(),
    queue: text('queue').notNull(),
    host: text('host').notNull(),
    pid: integer('pid').notNull(),
    version: text('version').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    seenAt: instant('seen_at').notNull().defaultNow(),
    applied: wholeNumber('applied').notNull().default(0),
    duplicate: wholeNumber('duplicate').notNull().default(0),
    stale: wholeNumber('stale').notNull().default(0),
    rejected: wholeNumber('rejected').notNull().default(0),
    completionLagSeconds: doublePrecision('completion_lag_seconds'),
    publishingLagSeconds: doublePrecision('publishing_lag_seconds'),
    lastCommitAt: instant('last_commit_at'),
    appliedBefore: wholeNumber('applied_before'),
    seenBefore: instant('seen_before'),
  },
  (table) => [primaryKey({ columns: [table.workerId, table.queue] })],
);

/** The newest event of each source. */
export const eventSources = takt.table(
  'event_sources',
  {
    companyId: integer('company_id').notNull(),
    source: text('source').notNull(),
    lastEventAt: instant('last_event_at').notNull(),
    lastEventId: text('last_event_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.companyId, table.source] })],
);

/** The audits that were run. */
export const auditRuns = takt.table('audit_runs', {
  auditRunId: wholeNumber('audit_run_id').primaryKey().generatedAlwaysAsIdentity(),
  at: instant('at').notNull().defaultNow(),
  /** Null: all companies. */
  database: text('database'),
  structureVersions: wholeNumber('structure_versions').notNull(),
  differences: wholeNumber('differences').notNull(),
  seconds: doublePrecision('seconds').notNull(),
});

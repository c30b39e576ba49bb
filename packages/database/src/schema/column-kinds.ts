import { bigint, numeric, timestamp } from 'drizzle-orm/pg-core';

/** Identifier, revision or count. The event contract ends at 2^53-1, so a JavaScript number holds it exactly. */
export const wholeNumber = (name: string) => bigint(name, { mode: 'number' });

/** Hours with 6 decimals as text, e.g. '1.250000': a JavaScript number would round. */
export const hours = (name: string) => numeric(name, { precision: 13, scale: 6 });

/** Exact sum of hours (6 decimals) or of their squares (12 decimals) as text. */
export const exactSum = (name: string) => numeric(name).notNull().default('0');

/** Instant as PostgreSQL's text, in UTC: a Date would drop the microseconds that decide which change is newest. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });

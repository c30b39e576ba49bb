import { bigint, customType, pgSchema, timestamp } from 'drizzle-orm/pg-core';

/** The PostgreSQL schema that holds all of Takt's tables. */
export const takt = pgSchema('takt');

/** Identifier, revision or count. The event contract ends at 2^53-1, so a JavaScript number holds it exactly. */
export const wholeNumber = (name: string) => bigint(name, { mode: 'number' });

/** Any bigint, which a JavaScript number does not hold exactly. */
export const longNumber = (name: string) => bigint(name, { mode: 'bigint' });

/** Instant as PostgreSQL's text, in UTC: a Date would drop the microseconds that decide which change is newest. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, mode: 'string' });

/** drizzle-orm has no column kind for bytes. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

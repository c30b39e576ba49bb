import { pgSchema } from 'drizzle-orm/pg-core';

/** The PostgreSQL schema that holds all of Takt's tables. */
export const taktSchema = pgSchema('takt');

import type { FindToken } from '@takt/access';
import type { Database } from '@takt/database';
import type { Logger } from '@takt/runtime';
import type { StatementOf } from '../query/statement-cache.js';

/** What requests are answered with, shared by all of them. */
export interface Serving {
  readonly pool: Database['pool'];
  readonly findToken: FindToken;
  readonly statementOf: StatementOf;
  /** Begins every link; absolute, without a slash at its end. */
  readonly baseUrl: string;
  readonly logger: Logger;
}

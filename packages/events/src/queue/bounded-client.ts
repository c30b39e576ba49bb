import { Client } from 'pg';
import { boundPostgresRead } from './bounded-reads.js';

/** A client of node-postgres that reads no job that is too large. */
export class BoundedClient extends Client {
  override query<Result>(...call: never[]): Result {
    const [first, ...rest]: unknown[] = call;
    return Reflect.apply(super.query, this, [
      typeof first === 'string' ? boundPostgresRead(first) : first,
      ...rest,
    ]);
  }
}

import type { Database } from '@takt/database';
import { idOf } from './check-client.js';

/** From where people have signed in. */
export interface KnownNetworks {
  has(pid: number, network: string): Promise<boolean>;
  /** The network of a sign-in that succeeded. */
  add(pid: number, network: string): Promise<void>;
}

/**
 * The last 8 networks of each person, kept by the database: all processes know them, also after a start. The role takt_api
 * or takt_dashboard is enough.
 */
export function knownNetworksOf(pool: Database['pool']): KnownNetworks {
  return {
    has: async (pid, network) => {
      const { rows } = await pool.query<{ isKnown: boolean }>({
        name: 'is_known_network',
        text: 'SELECT takt.is_known_network($1, $2) AS "isKnown"',
        values: [idOf(pid), network],
      });
      return rows[0]?.isKnown === true;
    },
    add: async (pid, network) => {
      await pool.query({
        name: 'note_known_network',
        text: 'SELECT takt.note_known_network($1, $2)',
        values: [idOf(pid), network],
      });
    },
  };
}

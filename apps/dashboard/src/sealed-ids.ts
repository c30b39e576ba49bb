import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Database } from '@takt/database';
import { readsAllOf } from './concealed.js';
import type { Person } from './visit.js';

/**
 * The ids of jobs as a person sees them. Publishers derive the id of a job from its event, and that of a rejected event from all
 * events of its batch, so whoever sees the id could try out guesses at hidden values. For a person who may not read all values
 * of all events, ids are therefore sealed: a sealed id stands for the id in links and forms, and the id itself is not taken.
 */
export interface ShownIds {
  /** Returns the id as the person sees it, the same text for the same id. */
  readonly shown: (id: string) => string;
  /** Returns the id that a link or form of the person means; undefined if it means none. */
  readonly meant: (text: string) => string | undefined;
}

export type IdsOf = (person: Person) => Promise<ShownIds>;

const AS_THEY_ARE: ShownIds = { shown: (id) => id, meant: (text) => text };

/** Opens the ids, with the key that all dashboards of the database share. */
export function openIds(pool: Database['pool']): IdsOf {
  let known: Promise<ShownIds> | undefined;
  const readSealed = async () => {
    const { rows } = await pool.query<{ key: Buffer }>('SELECT takt.page_secret() AS key');
    return sealedBy(rows[0]?.key ?? Buffer.alloc(0));
  };
  return async ({ duties }) => {
    if (readsAllOf(undefined, duties)) return AS_THEY_ARE;
    known ??= readSealed().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
}

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

function sealedBy(key: Buffer): ShownIds {
  return {
    shown: (id) => {
      // Derived from the id, so that a page has the same links whenever it is written.
      const iv = createHmac('sha256', key).update(id).digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const parts = [iv, cipher.update(id, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return Buffer.concat(parts).toString('base64url');
    },
    meant: (text) => {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined;
      try {
        const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const opened = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
        return Buffer.concat(opened).toString();
      } catch {
        return undefined;
      }
    },
  };
}

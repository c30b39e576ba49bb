import { createCipheriv, createDecipheriv, createHmac } from 'node:crypto';
import type { Database } from '@takt/database';

/**
 * Seals the ids of jobs whose events have values that a person may not read. Publishers derive the id of a job from its event, so
 * whoever sees the id could try out guesses at the values. A sealed id stands for the id in links and forms.
 */
export interface SealedIds {
  /** Returns the same text for the same id. */
  seal(id: string): Promise<string>;
  /** Returns the id that a link or form means, and whether it was sealed. A text that is no sealed id is an id itself. */
  open(text: string): Promise<{ readonly id: string; readonly isSealed: boolean }>;
}

const PREFIX = 'sealed-';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Opens the sealing with the key that all dashboards of the database share. */
export function openSealedIds(pool: Database['pool']): SealedIds {
  let known: Promise<Buffer> | undefined;
  const readKey = () => {
    known ??= pool
      .query<{ key: Buffer }>('SELECT takt.page_secret() AS key')
      .then(({ rows }) => rows[0]?.key ?? Buffer.alloc(0));
    known.catch(() => {
      known = undefined;
    });
    return known;
  };
  return {
    seal: async (id) => {
      const key = await readKey();
      // Derived from the id, so that a page has the same links whenever it is written.
      const iv = createHmac('sha256', key).update(id).digest().subarray(0, IV_BYTES);
      const cipher = createCipheriv(CIPHER, key, iv);
      const sealed = [iv, cipher.update(id, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return PREFIX + Buffer.concat(sealed).toString('base64url');
    },
    open: async (text) => {
      if (!text.startsWith(PREFIX)) return { id: text, isSealed: false };
      const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url');
      try {
        const decipher = createDecipheriv(CIPHER, await readKey(), bytes.subarray(0, IV_BYTES));
        decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
        const opened = [decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()];
        return { id: Buffer.concat(opened).toString(), isSealed: true };
      } catch {
        return { id: text, isSealed: false };
      }
    },
  };
}

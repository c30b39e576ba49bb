import type { Language } from '@takt/error-catalogue';
import { dan } from './languages/dan.js';
import { deu } from './languages/deu.js';
import { eng } from './languages/eng.js';
import { fra } from './languages/fra.js';
import { nob } from './languages/nob.js';
import { pol } from './languages/pol.js';
import { spa } from './languages/spa.js';
import { swe } from './languages/swe.js';
import type { Wording } from './languages/wording.js';

export const wordings: { readonly [L in Language]: Wording<L> } = { eng, nob, swe, dan, deu, fra, spa, pol };

/** Puts values, which must be HTML already, in the places {0}, {1}, ... */
export function fill(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d)\}/g, (_, index: string) => String(values[Number(index)] ?? ''));
}

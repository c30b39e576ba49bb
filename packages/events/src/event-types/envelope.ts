import * as z from 'zod';
import { oneOf } from '../kinds/constant.js';
import { instant } from '../kinds/instant.js';
import { name } from '../kinds/text.js';
import { uriReference } from '../kinds/uri-reference.js';

/** An object whose unlisted fields are ignored. */
export function objectOf<Fields extends z.ZodRawShape>(fields: Fields) {
  return z.object(fields, 'must be a JSON object');
}

/** The attributes of CloudEvents 1.0 in JSON structured mode that every event carries beside its type. */
export const envelopeFields = {
  specversion: oneOf('specversion', ['1.0']).describe('version of CloudEvents'),
  id: name.describe('names the event within its source'),
  source: uriReference.describe('where the event comes from'),
  time: instant.describe('when the event was made'),
};

/** A body of one event, of several in an array, of either, or of one a line. */
export type Form = 'one' | 'array' | 'either' | 'lines';

const FORMS: Readonly<Record<string, Form>> = {
  'application/cloudevents+json': 'one',
  'application/cloudevents-batch+json': 'array',
  'application/json': 'either',
  'application/x-ndjson': 'lines',
};

/** Media types that events are taken from. */
export const CONTENT_TYPES = Object.keys(FORMS);

export interface ContentType {
  readonly form: Form;
  /** As it was written; utf-8 where nothing was. */
  readonly charset: string;
}

const CHARSET = /;[ \t]*charset[ \t]*=[ \t]*(?:"([^"]*)"|([^;\s]*))/i;

/** Reads a Content-Type that is one of those above. */
export function readContentType(header: string): ContentType {
  const type = header.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const [, quoted, plain] = CHARSET.exec(header) ?? [];
  return { form: FORMS[type] ?? 'either', charset: quoted ?? plain ?? 'utf-8' };
}

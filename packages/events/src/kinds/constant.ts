import { defineKind } from './define-kind.js';

/** One of the given strings and nothing else. */
export function oneOf<Text extends string>(name: string, texts: readonly Text[]) {
  const known: ReadonlyMap<unknown, Text> = new Map(texts.map((text) => [text, text]));
  const listed = texts.map((text) => JSON.stringify(text)).join(', ');
  return defineKind({
    name,
    rule: texts.length === 1 ? listed : `one of ${listed}`,
    jsonSchema: { type: 'string', enum: texts },
    read: (value) => known.get(value),
  });
}

import type { DetailPage } from '../representations/writer.js';
import { fieldsIn, type Section } from './sections.js';
import type { Wording } from './words.js';

/** The names that identify the object: first the name of its parent, then its own name. */
export function namesOf(sections: readonly Section[], { row }: DetailPage): readonly string[] {
  const named = sections.flatMap(({ nodes }) =>
    nodes.filter((node) => node.kind === 'field' && node.field.name === 'Name').slice(0, 1),
  );
  const texts = named.slice(0, 2).map(({ index }) => String(row[index] ?? ''));
  return texts.filter((text) => text !== '').toReversed();
}

/** The key of the object, whose number is the first that can have one; undefined if it has none. */
export function keyText(sections: readonly Section[], { row }: DetailPage): string | undefined {
  const named = fieldsIn(sections).find(({ keyIndex }) => keyIndex !== undefined);
  const key = named?.keyIndex === undefined ? null : (row[named.keyIndex] ?? null);
  return key === null ? undefined : String(key);
}

/** Text with the version and the revision of the object, each with its heading. Empty if the object has neither. */
export function versionText(sections: readonly Section[], { row }: DetailPage, wording: Wording): string {
  const texts = fieldsIn(sections).flatMap(({ field, index }) => {
    const value = row[index];
    const isNamed = ['Version', 'Revision'].includes(field.name) && value !== null && value !== '';
    return isNamed ? [`${field.heading[wording.language]} ${value}`] : [];
  });
  return texts.join(', ');
}

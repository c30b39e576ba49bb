import type { DetailPage } from '../representations/page.js';
import type { Section } from './sections.js';
import type { Wording } from './words.js';

/** What the object is called: the names in it that are its own, or of what it belongs to, the widest first. */
export function namesOf(sections: readonly Section[], { row }: DetailPage): readonly string[] {
  const named = sections.flatMap(({ nodes }) =>
    nodes.filter((node) => node.kind === 'field' && node.field.name === 'Name').slice(0, 1),
  );
  const texts = named.slice(0, 2).map(({ index }) => String(row[index] ?? ''));
  return texts.filter((text) => text !== '').toReversed();
}

/** Version and revision of the object behind its names. */
export function versionText(sections: readonly Section[], { row }: DetailPage, wording: Wording): string {
  const texts = fieldsOf(sections).flatMap(({ field, index }) => {
    const value = row[index];
    const isNamed = ['Version', 'Revision'].includes(field.name) && value !== null && value !== '';
    return isNamed ? [`${field.heading[wording.language]} ${value}`] : [];
  });
  return texts.join(', ');
}

function fieldsOf(sections: readonly Section[]) {
  return sections.flatMap(({ nodes }) => nodes.filter((node) => node.kind === 'field'));
}

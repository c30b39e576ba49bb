import type { Markup } from '@takt/pages';
import type { Field } from '@takt/resources';
import { type Browse, filteredAddress, presenceOf, withoutPresence } from './browse.js';
import { isFigure } from './words.js';

/** Whether the rows are in the order of a field. */
export function sortedBy({ order }: Browse, field: Field): 'ascending' | 'descending' | undefined {
  if (order?.field !== field) return undefined;
  return order.isDescending ? 'descending' : 'ascending';
}

interface SortLinkProps {
  readonly browse: Browse;
  readonly field: Field;
  readonly label: string | Markup;
}

/** A heading that orders the list by its field, or the other way round where it is; plain where it cannot be. */
export function SortLink({ browse, field, label }: SortLinkProps): Markup {
  if (field.queryName === undefined) return <>{label}</>;
  const direction = sortedBy(browse, field);
  const heading = field.heading[browse.wording.language];
  return (
    <a
      class={direction === undefined ? 'sort' : `sort ${direction}`}
      href={sortAddress(browse, field, direction)}
      title={heading === label ? undefined : heading}
    >
      {label}
    </a>
  );
}

/**
 * Figures are looked at from the highest down, words from A. Without a value comes last in descending order; in
 * ascending order it would come first, as the interface has it, so that these rows are left out there, and said to be.
 */
function sortAddress(browse: Browse, field: Field, direction: ReturnType<typeof sortedBy>): string {
  const { queryName: name = '' } = field;
  const isDescending = direction === undefined ? isFigure(field) : direction === 'ascending';
  const conditions = withoutPresence(browse);
  const needsPresence = !isDescending && field.isNullable && isFigure(field);
  return filteredAddress(browse, needsPresence ? [...conditions, presenceOf(name)] : conditions, {
    $orderby: `${name} ${isDescending ? 'desc' : 'asc'}`,
  });
}

import { type Leaf, leavesOf, type Resource } from '@takt/catalogue/resources';

/**
 * A spelling of the name of a hidden field or of a group around the field. `absent` is an unknown name of the same
 * length.
 */
export interface HiddenName {
  readonly written: string;
  readonly absent: string;
  /** The part of the written name that differs from the absent name. */
  readonly part: string;
  readonly absentPart: string;
  /** True if a visible field or group has the same name, so the name is known to people without the duty. */
  readonly isShownElsewhere: boolean;
}

/** Returns all spellings of the name of a field. The first is the flat name, which is the name without its groups. */
export function hiddenNamesOf(resource: Resource, leaf: Leaf): readonly HiddenName[] {
  const { path } = leaf;
  const last = path.at(-1) ?? '';
  const lowered = path.map((name) => name.slice(0, 1).toLowerCase() + name.slice(1));
  const groups = path.slice(0, -1).map((_, depth) => path.slice(0, depth + 1));
  const paths = [
    ...[[last], path, [last.toLowerCase()], [last.toUpperCase()]],
    ...[lowered, path.slice(-2), [path[0] ?? '', last], ...groups],
  ];
  const shown = shownNames(resource);
  const names = paths.flatMap((one) => ['.', '/'].map((joint) => toHiddenName(one, joint, shown)));
  return [...new Map(names.map((name) => [name.written, name])).values()];
}

function toHiddenName(names: readonly string[], joint: string, shown: ReadonlySet<string>): HiddenName {
  const part = names.at(-1) ?? '';
  const absentPart = `${part.slice(0, -1)}${/[A-Z]$/.test(part) ? 'Q' : 'q'}`;
  return {
    written: names.join(joint),
    absent: [...names.slice(0, -1), absentPart].join(joint),
    part,
    absentPart,
    isShownElsewhere: names.length === 1 && shown.has(part.toLowerCase()),
  };
}

/** Returns the names of the fields that need no duty, and of the groups around these fields, in lower case. */
function shownNames({ fields }: Resource): ReadonlySet<string> {
  const shown = leavesOf(fields).filter(({ duties }) => duties.length === 0);
  const names = shown.flatMap(({ path, node }) =>
    node.kind === 'field' ? [...path, node.queryName ?? '', node.filterName ?? ''] : path,
  );
  return new Set(names.map((name) => name.toLowerCase()));
}

/**
 * Returns all kinds of queries that can contain the name of a field. The queries for two names differ only in the name.
 */
export function namingQueries({ kind }: Resource, name: string): readonly string[] {
  const encoded = encodeURIComponent(name);
  const selects = [`$select=${encoded}`, `$select=${encoded},Status`, `$select=Status,${encoded}`];
  const expands = [`$expand=${encoded}`, `$expand=PagingDetails,${encoded}`];
  if (kind === 'detail') return [...selects, ...expands];
  const expressions = [
    ...[`${name} eq null`, `${name} ne null`, `${name} gt 1`, `1 lt ${name}`, `not (${name} le 2)`],
    ...[`${name} in (1, null)`, `${name} add 1 gt 2`, `round(${name}) ge 0`, `-${name} lt 0`],
    ...[`contains(${name}, '1')`, `length(${name}) gt 1`, `${name} eq ${name}`, `true or ${name} eq 'x'`],
    `${name} div 0 eq null`,
  ];
  return [
    ...selects,
    ...expands,
    ...expressions.flatMap((expression) => [
      `$filter=${encodeURIComponent(expression)}`,
      `$inlinecount=allpages&$top=1&$filter=${encodeURIComponent(expression)}`,
    ]),
    ...[`${encoded}`, `${encoded}%20desc`, `${encoded},${encoded}`].map((order) => `$orderby=${order}`),
  ];
}

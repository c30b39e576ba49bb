import {
  error,
  expandableIn,
  filterFieldsOf,
  type Group,
  type Node,
  PAGING_DETAILS,
  paging,
  queryFieldsOf,
  type Resource,
  size,
} from '@takt/catalogue/resources';
import { documented, indented, TypeTexts, unionMember } from './type-text.js';

const HEAD = [
  '// Written by the build from the definitions of packages/catalogue/src/resources: change those.',
  '',
];

/** Generates the TypeScript types of all resources and of the documents around them. */
export function describeResources(resources: readonly Resource[]): string {
  const texts = new TypeTexts(sharedGroups(resources), new Set([size]));
  for (const resource of resources) {
    texts.add(objectName(resource), resource.description, resource.fields);
    const totals = resource.kind === 'list' ? resource.totals : undefined;
    if (totals !== undefined) texts.add(totals.name, totals.description, totals.children);
  }
  texts.add('Paging', paging.description, paging.children);
  texts.add('ErrorDocument', error.description, error.children);
  const lines = [
    ...HEAD,
    ...texts.toLines(),
    ...resourceMap('Lists', 'Every list, by its path.', resources, 'list'),
    '',
    ...resourceMap('Details', 'Every object that is read alone, by its path.', resources, 'detail'),
  ];
  return `${lines.join('\n')}\n`;
}

/** As in the OpenAPI document. */
const objectName = (resource: Resource): string =>
  resource.kind === 'list' ? `${resource.container}Item` : resource.element;

/** The groups used by several objects. */
function sharedGroups(resources: readonly Resource[]): ReadonlySet<Group> {
  const seen = new Set<Group>();
  const shared = new Set<Group>();
  const visit = (nodes: readonly Node[]) => {
    for (const node of nodes) {
      if (node.kind !== 'group') continue;
      if (seen.has(node)) {
        shared.add(node);
      } else {
        seen.add(node);
        visit(node.children);
      }
    }
  };
  for (const { fields } of resources) visit(fields);
  return shared;
}

function resourceMap(
  name: 'Lists' | 'Details',
  description: string,
  resources: readonly Resource[],
  kind: Resource['kind'],
): readonly string[] {
  const entries = resources
    .filter((resource) => resource.kind === kind)
    .flatMap((resource) =>
      documented(entryNotes(resource), [
        `readonly '${resource.path}': {`,
        ...indented(facts(resource)),
        '};',
      ]),
    );
  return documented(description, [`export interface ${name} {`, ...indented(entries), '}']);
}

const DEPTH = 2;

/** The type-level facts about a resource. */
function facts(resource: Resource): readonly string[] {
  const common = [`readonly object: ${objectName(resource)};`, ...ownParameters(resource)];
  const expanded = [...new Set(expandableIn(resource).map(({ expandedBy }) => expandedBy))];
  if (resource.kind === 'detail') {
    return [...common, ...unionMember('expand', expanded, DEPTH)];
  }
  const orders = [...queryFieldsOf(resource).values()].flatMap(({ queryName }) => queryName ?? []);
  return [
    ...common,
    ...unionMember('expand', [PAGING_DETAILS, ...expanded], DEPTH),
    ...unionMember('order', orders, DEPTH),
    `readonly search: ${resource.searched.length === 0 ? 'never' : 'string'};`,
  ];
}

/** Parameters of this resource alone. */
function ownParameters({ parameters = [] }: Resource): readonly string[] {
  if (parameters.length === 0) return [];
  const members = parameters.flatMap(({ name, description, isRequired }) =>
    documented(description, [`readonly ${name}${isRequired ? '' : '?'}: string;`]),
  );
  return ['readonly parameters: {', ...indented(members), '};'];
}

function entryNotes(resource: Resource): string {
  if (resource.kind === 'detail') return resource.description;
  const fields = [...filterFieldsOf(resource).values()].map(
    ({ queryName, filterName, unit }) =>
      `${queryName ?? filterName}${unit === undefined ? '' : ` (${unit})`}`,
  );
  return `${resource.description} \`filter\` knows ${fields.join(', ')}.`;
}

import { readdirSync } from 'node:fs';
import { languages, type Translations, translatedTexts } from '@takt/texts';
import { expect } from 'chai';
import { applicationVersion } from '../../src/resources/definitions/application-version.js';
import { fieldBuilders } from '../../src/resources/field-builders.js';
import {
  describedResource,
  leavesOf,
  type Node,
  type PathParameter,
  type Resource,
  resourceFamilies,
  serviceTexts,
} from '../../src/resources/index.js';
import { detailResource } from '../../src/resources/resource.js';

const resources: readonly Resource[] = resourceFamilies.flatMap(({ versions }) =>
  versions.map(describedResource),
);

/** Returns all nodes, including groups and the fields in the items of collections. */
function allNodes(nodes: readonly Node[]): readonly Node[] {
  return nodes.flatMap((node) => {
    if (node.kind === 'field') return [node];
    return [node, ...allNodes(node.kind === 'group' ? node.children : [node.item()])];
  });
}

const served = resources.flatMap((resource) => [
  ...allNodes(resource.fields),
  ...allNodes(resource.kind === 'list' && resource.totals !== undefined ? [resource.totals] : []),
]);
const domains = new Set(
  resources
    .flatMap(({ fields }) => leavesOf(fields))
    .flatMap(({ node }) => (node.kind === 'field' ? (node.domain ?? []) : [])),
);

/**
 * This function is never called. The compiler checks that the marked lines do not compile and that all other lines do.
 */
export function mistakesThatDoNotCompile(text: Translations, column: PathParameter['column']): void {
  const { integer } = fieldBuilders({ Name: text });
  integer('Name', 'It has a heading.');
  // @ts-expect-error: a field without a heading
  integer('Size', 'It has none.');
  const { pol: _, ...others } = text;
  // @ts-expect-error: a heading that one language lacks
  fieldBuilders({ Name: others });
  const parameter = { name: 'applicationId', description: 'It is in the path.', minimum: 1, column } as const;
  detailResource({ ...applicationVersion, pathParameters: [parameter], notFound: 'permissionNotFound' });
  // @ts-expect-error: an error whose parameter is no identifier of the path
  detailResource({ ...applicationVersion, pathParameters: [parameter], notFound: 'errorMessageNotFound' });
}

describe('the texts of the resources', () => {
  const texts = new Map<string, Translations>([
    ...resources.map(({ path, title }) => [path, title] as const),
    ...resources.map(({ path, summary }) => [`${path}, summary`, summary] as const),
    ...Object.entries(serviceTexts).map(([name, text]) => [`service, ${name}`, text] as const),
    ...served.map(({ name, heading }) => [name, heading] as const),
    ...[...domains].flatMap(({ object, field, values }) =>
      Object.entries(values).map(([key, text]) => [`${object}.${field} ${key}`, text] as const),
    ),
  ]);

  for (const language of languages) {
    it(`include every resource, field, group and domain value: ${language}`, () => {
      expect(texts.size).to.be.greaterThan(100);
      for (const [name, text] of texts) {
        expect(text[language], name).to.match(/^\S(.*\S)?$/u);
        expect(text[language], name).not.to.match(/\s{2}|undefined|[<>&{}]/);
      }
    });
  }

  it('exist in exactly the languages of the service', () => {
    for (const [name, text] of texts) expect(Object.keys(text), name).to.have.members([...languages]);
  });

  it('have English headings that start with a capital letter', () => {
    for (const { heading } of served) expect(heading.eng).to.match(/^\p{Lu}/u);
  });

  it('are all used', () => {
    const used = new Set(
      [
        ...served.map(({ heading }) => heading),
        ...resources.flatMap(({ title, summary }) => [title, summary]),
      ].map(({ nob }) => nob),
    );
    // The headings of a definition are in the group with the name of its file.
    const files = readdirSync(new URL('../../../src/resources/definitions/', import.meta.url));
    const names = new Set(files.map((file) => file.replace(/\.ts$/, '')));
    const groups = Object.entries(translatedTexts.nob).filter(([group]) => names.has(group));
    expect(groups).to.have.length.of.at.least(14);
    for (const [group, headings] of groups) {
      for (const [name, heading] of Object.entries(headings)) {
        expect(used.has(heading), `${group} ${name}`).to.equal(true);
      }
    }
  });

  it('describe a domain once, even if several fields use it', () => {
    const names = [...domains].map(({ object, field }) => `${object}.${field}`);
    expect(names).to.have.lengthOf(new Set(names).size);
    expect(names).to.include('ProductStructureVersion.Status').and.to.include('Application.Scope');
  });
});

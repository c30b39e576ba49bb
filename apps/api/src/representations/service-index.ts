import { newestOf, type Resource, resourceFamilies, service, serviceTexts } from '@takt/resources';
import type { Translations } from '@takt/texts';
import { type OutlineGroup, outlineOfGroup, type Row } from '../query/outline.js';
import type { WritingContext } from './page.js';

/** What tells about the service itself. */
export interface IndexedDocument {
  readonly title: Translations;
  readonly summary: Translations;
  /** Absolute. */
  readonly href: string;
}

/** Health is at the root of the server, also where the resources are below a path. */
export function indexedDocuments({ baseUrl }: WritingContext): readonly IndexedDocument[] {
  const texts = serviceTexts;
  return [
    { title: texts.documentation, summary: texts.documentationSummary, href: `${baseUrl}/docs` },
    { title: texts.openApi, summary: texts.openApiSummary, href: `${baseUrl}/openapi.json` },
    { title: texts.xmlSchema, summary: texts.xmlSchemaSummary, href: `${baseUrl}/schema.xsd` },
    { title: texts.health, summary: texts.healthSummary, href: `${new URL(baseUrl).origin}/health/ready` },
  ];
}

/** The newest version of each resource. */
export const indexedResources: readonly Resource[] = resourceFamilies.map(newestOf);

/** What needs identifiers or parameters is only named: nobody can guess them. */
export const canBeLinked = ({ pathParameters, parameters = [] }: Resource): boolean =>
  pathParameters.length === 0 && !parameters.some(({ isRequired }) => isRequired);

/** The lists that a page offers its reader. */
export function offeredResources({ mayRead }: WritingContext): readonly Resource[] {
  return indexedResources.filter(
    (resource) => resource.kind === 'list' && canBeLinked(resource) && mayRead(resource),
  );
}

const indexOutline = outlineOfGroup(service);

/** The index of the service as an outline and its values. */
export function describeServiceIndex(context: WritingContext): {
  readonly outline: OutlineGroup;
  readonly row: Row;
} {
  const { language, baseUrl, linkSuffix } = context;
  const resources = indexedResources.map((resource): Row => {
    const { identifier, version, title, summary, path } = resource;
    const link = canBeLinked(resource) ? baseUrl + path + linkSuffix : null;
    return [identifier, version, title[language], summary[language], path, link];
  });
  const documents = indexedDocuments(context).map(
    ({ title, summary, href }): Row => [title[language], summary[language], href],
  );
  return { outline: indexOutline, row: ['Takt', resources, documents] };
}

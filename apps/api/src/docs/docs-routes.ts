import type { FindToken } from '@takt/access';
import { resourceFamilies } from '@takt/catalogue/resources';
import type { AnswerError, ApiAnswer, ApiRequest, Route } from '@takt/http';
import { readRequest } from '../parse/read-request.js';
import type { WritingContext } from '../representations/writer.js';
import { representationHeaders } from '../respond/write-answer.js';
import { findCaller, writingContextOf } from '../respond/writing-context.js';
import { DOCS_PATH, RESOURCES_PATH } from './docs-frame.js';
import { writeDocsIndex, writeDocument, writeResourcesPage } from './docs-pages.js';
import { writeResourcePage } from './resource-page.js';
import { servedDocuments } from './served-documents.js';

interface DocsRouteOptions {
  readonly findToken: FindToken;
  readonly baseUrl: string;
  readonly answerError: AnswerError;
}

type Write = (context: WritingContext) => string;

/** The routes of the documentation, which is public. On its pages, a signed-in reader keeps company and language. */
export function docsRoutes(options: DocsRouteOptions): readonly Route[] {
  const route = (path: string, write: Write): Route => ({
    path,
    answer: (request) =>
      answer(request, write, options).catch((thrown: unknown) => options.answerError(thrown, request)),
  });
  return [
    route(DOCS_PATH, writeDocsIndex),
    ...servedDocuments.map((document) =>
      route(`${DOCS_PATH}/${document.name}`, (context) => writeDocument(document, context)),
    ),
    route(RESOURCES_PATH, writeResourcesPage),
    ...resourceFamilies.map((family) =>
      route(`${RESOURCES_PATH}/${family.identifier}`, (context) => writeResourcePage(family, context)),
    ),
  ];
}

async function answer(
  request: ApiRequest,
  write: Write,
  { findToken, baseUrl }: DocsRouteOptions,
): Promise<ApiAnswer> {
  const read = readRequest({ ...request, headers: { ...request.headers, accept: 'text/html' } }, baseUrl);
  const context = writingContextOf(read, baseUrl, await findCaller(read, findToken));
  const whole = Buffer.from(write(context));
  const headers = representationHeaders(whole, 'html', context);
  return { status: 200, headers, body: whole, isStreamed: false };
}

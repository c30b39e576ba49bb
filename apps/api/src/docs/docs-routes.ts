import { readFileSync } from 'node:fs';
import type { FindToken } from '@takt/access';
import { resourceFamilies } from '@takt/catalogue/resources';
import {
  type AnswerError,
  type ApiAnswer,
  type ApiRequest,
  contentSecurityPolicy,
  type Route,
  type StaticRoute,
} from '@takt/http';
import { hashOfStyle } from '@takt/pages';
import { readRequest } from '../parse/read-request.js';
import type { WritingContext } from '../representations/writer.js';
import { representationHeaders } from '../respond/write-answer.js';
import { findCaller, writingContextOf } from '../respond/writing-context.js';
import { DOCS_PATH, DOCS_SCRIPT, docsStyle, RESOURCES_PATH } from './docs-frame.js';
import { writeDocsIndex, writeDocument, writeResourcesPage } from './docs-pages.js';
import { writeResourcePage } from './resource-page.js';
import { servedDocuments } from './served-documents.js';

interface DocsRouteOptions {
  readonly findToken: FindToken;
  readonly baseUrl: string;
  readonly answerError: AnswerError;
}

type Write = (context: WritingContext) => string;

/** These pages have a script, which asks only this service. */
const POLICY = `${contentSecurityPolicy(hashOfStyle(docsStyle))};script-src 'self';connect-src 'self'`;

/** The route of the script. */
export const docsScript: StaticRoute = {
  path: DOCS_SCRIPT,
  contentType: 'text/javascript; charset=utf-8',
  body: () => readFileSync(new URL(import.meta.resolve('#assets/docs.js')), 'utf8'),
  headers: {},
};

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
  const headers = { ...representationHeaders(whole, 'html', context), 'Content-Security-Policy': POLICY };
  return { status: 200, headers, body: whole, isStreamed: false };
}

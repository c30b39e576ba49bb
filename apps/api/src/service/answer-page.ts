import { ServiceError } from '@takt/error-catalogue';
import { type ApiAnswer, toServiceError } from '@takt/http';
import { newestOf, type Resource, type ResourceFamily } from '@takt/resources';
import type { Identity } from '../access/establish-identity.js';
import { writeRefusedList } from '../representations/html/list-page.js';
import { returnPath } from '../representations/html/own-links.js';
import { writeAnswer, writeError } from '../representations/write-answer.js';
import { openingParameters, optionsForPeople } from './ask-for-people.js';
import { type AskedPage, findPage, type PageSource, searchEndMs } from './find-page.js';
import { readPageForm } from './read-page-form.js';
import { type ReadRequest, readOptions } from './read-request.js';
import { refusedText } from './refused-list.js';
import { callerOf } from './visitor.js';
import { writingContextOf } from './writing-context.js';

/**
 * The answer to a person with a browser. A form leads on to the address of what it asks. What is wrong with a text that
 * was written is said on the page that it was written on. Throws a ServiceError or a QueryOptionError.
 * @param family as the duties of the person show it
 */
export async function answerPage(
  family: ResourceFamily,
  read: ReadRequest,
  identity: Identity,
  source: PageSource,
): Promise<ApiAnswer> {
  const { baseUrl } = source;
  const ofForm = readPageForm(family, read.query.parameters);
  if (ofForm !== undefined) return leadTo(withParameters(read, ofForm), baseUrl);
  const opened = withParameters(read, openingParameters(family, read.query.parameters));
  const context = writingContextOf(opened, baseUrl, callerOf(identity, read));
  try {
    const { resource, options } = readOptions(family, opened);
    return writeAnswer(
      await findForPeople({ resource, options, read: opened, identity }, source),
      'html',
      context,
    );
  } catch (thrown) {
    const error = toServiceError(thrown);
    const resource: Resource = newestOf(family);
    const refused = refusedText(error, context.parameters, context.language);
    if (refused === undefined || resource.kind !== 'list') throw thrown;
    return { ...writeError(error, 'html', context), body: writeRefusedList(resource, refused, context) };
  }
}

function withParameters(read: ReadRequest, parameters: ReadRequest['query']['parameters']): ReadRequest {
  return { ...read, query: { ...read.query, parameters } };
}

function leadTo(read: ReadRequest, baseUrl: string): ApiAnswer {
  return {
    status: 303,
    headers: {
      Location: baseUrl + returnPath(writingContextOf(read, baseUrl)),
      'Cache-Control': 'private, no-store',
      'Content-Type': 'text/plain; charset=utf-8',
    },
    body: Buffer.alloc(0),
    isStreamed: false,
  };
}

/** A list is counted, unless that takes too long: then it is shown without its number, if that is found in what is left. */
async function findForPeople(asked: AskedPage, source: PageSource): ReturnType<typeof findPage> {
  const { resource, options, read } = asked;
  if (resource.kind === 'detail') return await findPage(asked, source);
  const endMs = searchEndMs();
  const counted = { ...asked, options: optionsForPeople(options, resource, read.query.parameters) };
  try {
    return await findPage(counted, source, endMs);
  } catch (error) {
    const isTooSlow = error instanceof ServiceError && error.code === 'queryTooSlow';
    if (!isTooSlow || options.countAll || !counted.options.countAll) throw error;
    const uncounted = { ...asked, options: { ...counted.options, countAll: false } };
    // The server has answered, whatever becomes of this.
    return await findPage(uncounted, source, endMs).catch(() => {
      throw error;
    });
  }
}

import { ServiceError } from '@takt/error-catalogue';
import { type ApiAnswer, toServiceError } from '@takt/http';
import { excerpt } from '@takt/query-options';
import { newestOf, type Resource, type ResourceFamily } from '@takt/resources';
import type { Identity } from '../access/establish-identity.js';
import { writeRefusedList } from '../representations/html/list-page.js';
import { writeAnswer, writeError } from '../representations/write-answer.js';
import { openingParameters } from './ask-for-people.js';
import { findForPeople } from './find-for-people.js';
import type { PageSource } from './find-page.js';
import { leadTo } from './lead-to.js';
import { readPageForm } from './read-page-form.js';
import type { ReadRequest } from './read-request.js';
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
  const form = readPageForm(family, read.query.parameters);
  const faulty = form?.faulty;
  if (form !== undefined && faulty === undefined) {
    return leadTo(withParameters(read, form.parameters), baseUrl);
  }
  const asked = form?.parameters ?? read.query.parameters;
  const opened = withParameters(read, openingParameters(family, asked));
  const context = writingContextOf(opened, baseUrl, callerOf(identity, read));
  try {
    if (faulty !== undefined) throw new ServiceError('noNumber', { value: excerpt(faulty.value) });
    return writeAnswer(
      await findForPeople({ family, read: opened, identity, context }, source),
      'html',
      context,
    );
  } catch (thrown) {
    const error = toServiceError(thrown);
    const resource: Resource = newestOf(family);
    const refused = refusedText(error, context, faulty);
    if (refused === undefined || resource.kind !== 'list') throw thrown;
    return { ...writeError(error, 'html', context), body: writeRefusedList(resource, refused, context) };
  }
}

function withParameters(read: ReadRequest, parameters: ReadRequest['query']['parameters']): ReadRequest {
  return { ...read, query: { ...read.query, parameters } };
}

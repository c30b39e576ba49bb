import { changeView, isOwnPost, savedViewLimits, saveView } from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import { familyAt, savedViews } from '@takt/catalogue/resources';
import type { ApiAnswer } from '@takt/http';
import {
  canonicalName,
  excerpt,
  invalidValue,
  parseQueryString,
  phrase,
  QueryOptionError,
  type QueryParameter,
  quote,
  readIdentifier,
} from '@takt/query';
import { ofReaderOrPage, SAVED } from '../pages/index.js';
import { establishIdentity, type Identity, tokenOf } from '../parse/establish-identity.js';
import { type ReadRequest, readRequest } from '../parse/read-request.js';
import { redirect } from '../respond/addressed-route.js';
import type { ApiDependencies } from '../respond/answer-resource.js';
import { queryTextOf } from '../respond/writing-context.js';
import { callDatabase } from '../sql/run-statement.js';
import type { FormRequest } from './form-route.js';

const CHANGES = ['share', 'keep', 'delete'] as const;
const ACTIONS = ['save', ...CHANGES] as const;

interface PostedForm {
  readonly read: ReadRequest;
  readonly identity: Identity;
  readonly token: string;
  readonly valueOfField: (name: string) => string;
}

/**
 * POST /system/saved-views: saves an address under a name, or shares or deletes a saved view. The view belongs to the
 * person of the token. Redirects to the saved address, or to the list of saved views. Throws a ServiceError or a
 * QueryOptionError.
 */
export async function answerSavedViewForm(request: FormRequest, api: ApiDependencies): Promise<ApiAnswer> {
  const { baseUrl, findToken } = api;
  const read = readRequest(request, baseUrl);
  if (!isOwnPost(request.headers, baseUrl)) throw new ServiceError('foreignForm', {});
  const identity = await establishIdentity(read.credentials, savedViews, findToken);
  const { parameters, problem } = parseQueryString(request.formText ?? '');
  if (problem !== undefined) throw problem;
  const form: PostedForm = {
    read,
    identity,
    token: tokenOf(read.credentials) ?? '',
    valueOfField: (name) => parameters.find((parameter) => parameter.name === name)?.value.trim() ?? '',
  };
  const action = readAction(form);
  return action === 'save' ? await save(form, api) : await change(form, action, api);
}

function readAction({ valueOfField }: PostedForm): (typeof ACTIONS)[number] {
  const action = valueOfField('action');
  const known = ACTIONS.find((one) => one === action);
  if (known === undefined) throw invalidValue('action', action, ...ACTIONS.map(quote));
  return known;
}

async function save(form: PostedForm, { pool, baseUrl }: ApiDependencies): Promise<ApiAnswer> {
  const { identity, token, valueOfField } = form;
  const name = valueOfField('name');
  const length = [...name].length;
  // Characters that nobody sees could make a name look like another, or turn around the words beside it.
  if (length < 1 || length > savedViewLimits.nameCharacters || /[\p{Cf}\p{Cc}]/u.test(name)) {
    throw invalidValue('name', name, phrase('{0} to {1} characters', 1, savedViewLimits.nameCharacters));
  }
  const { path, parameters } = readAddress(valueOfField('address'));
  const query = queryTextOf(parameters).slice(1);
  const limit = savedViewLimits.queryCharacters;
  if (query.length > limit) {
    const counted = { length: String(query.length), limit: String(limit) };
    throw new QueryOptionError('parameterTooLong', { parameter: 'address', ...counted });
  }
  const refused = await callDatabase(
    saveView(pool, token, identity.company.code, {
      name,
      path,
      query,
      isShared: valueOfField('isShared') === 'true',
    }),
  );
  if (refused === 'full') throw new ServiceError('savedViewsFull', { limit: String(savedViewLimits.views) });
  if (refused === 'no-person') throw new ServiceError('personNeeded', { database: identity.company.code });
  const saved = { name: SAVED, value: name };
  return redirect(baseUrl + path + queryTextOf([...parameters, ...ofReader(form), saved]));
}

async function change(
  form: PostedForm,
  action: (typeof CHANGES)[number],
  { pool, baseUrl }: ApiDependencies,
): Promise<ApiAnswer> {
  const { identity, token, valueOfField } = form;
  const savedViewId = valueOfField('id');
  const id = readIdentifier(savedViewId);
  const isFound =
    id !== undefined &&
    (await callDatabase(changeView(pool, token, identity.company.code, { id, change: action })));
  if (!isFound) throw new ServiceError('savedViewNotFound', { savedViewId: excerpt(savedViewId) });
  return redirect(baseUrl + savedViews.path + queryTextOf(ofReader(form)));
}

/**
 * Splits the address of a resource into its path and its parameters. Parameters that concern the reader or a single
 * page of the list are left out.
 */
function readAddress(address: string): {
  readonly path: string;
  readonly parameters: readonly QueryParameter[];
} {
  const [path = '', queryText = ''] = address.split(/\?(.*)/su);
  if (familyAt(path) === undefined) {
    throw invalidValue('address', address, phrase('address of a resource'));
  }
  const { parameters, problem } = parseQueryString(queryText);
  if (problem !== undefined) throw problem;
  return { path, parameters: parameters.filter(({ name }) => !ofReaderOrPage.includes(canonicalName(name))) };
}

/** The parameters with the language and the company of the page that contains the form. */
function ofReader({ read, identity }: PostedForm): readonly QueryParameter[] {
  const { language } = read.early;
  return [
    ...(language === undefined ? [] : [{ name: '$lang', value: language }]),
    { name: '$db', value: identity.company.code },
  ];
}

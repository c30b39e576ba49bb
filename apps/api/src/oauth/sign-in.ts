import {
  type FindToken,
  findApiClient,
  forgetSession,
  isOwnPost,
  issueAuthorizationCode,
  mayUseCode,
  readSession,
  returnAddress,
  revokeToken,
  type Session,
  writeSession,
} from '@takt/access';
import type { Database } from '@takt/database';
import { type ApiAnswer, type ApiRequest, contentSecurityPolicy } from '@takt/http';
import { ownAddress, type SignInPage, type SignInProblem, writeSignInPage } from '../pages/index.js';
import { type ReadRequest, readRequest } from '../parse/read-request.js';
import { redirect, withCompany } from '../respond/addressed-route.js';
import { type Caller, findCaller, queryTextOf, writingContextOf } from '../respond/writing-context.js';
import type { FormRequest } from '../service/form-route.js';
import { callDatabase } from '../sql/run-statement.js';
import {
  answerJson,
  answerOAuthError,
  namesClient,
  OAuthError,
  readClient,
  toOAuthError,
} from './authenticate-client.js';
import {
  type AskingClient,
  type Parameters,
  readAuthorizationRequest,
  readParameters,
  redirectTo,
} from './authorization-request.js';
import { AUTHORIZATION_PATH } from './paths.js';
import type { SignIns } from './sign-ins.js';

export interface SignInPageOptions {
  readonly pool: Database['pool'];
  readonly findToken: FindToken;
  readonly signIns: SignIns;
  /**
   * Base URL of all links, which is also the issuer in the sense of OAuth. It is absolute and has no trailing slash.
   */
  readonly baseUrl: string;
}

/** A request to the sign-in page. No form has been read yet. */
interface Visit {
  readonly read: ReadRequest;
  readonly caller: Caller;
  readonly session: Session | undefined;
  readonly client: AskingClient | undefined;
}

type Status = 200 | 400 | 403 | 500;

/**
 * GET /oauth2: shows the form to sign in. After signing in, the person returns to a page of the service, or to a client
 * that asks for permission to act for the person.
 */
export async function showSignIn(request: ApiRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const visit = await readVisit(request, options);
  return 'status' in visit ? visit : showPage(visit, 200, options);
}

/** POST /oauth2: starts a session, and redirects to the previous page or to the client. */
export async function takeSignIn(request: FormRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const visit = await readVisit(request, options);
  if ('status' in visit) return visit;
  if (!isOwnPost(request.headers, options.baseUrl)) {
    return showPage(visit, 403, options, { problem: 'foreignForm' });
  }
  const form = request.formText === undefined ? undefined : readParameters(request.formText);
  if (form === undefined || form.problem !== undefined) {
    return showPage(visit, 400, options, { problem: 'unreadableForm' });
  }
  if (form.get('continue') !== undefined) return goOn(visit, options);
  const begun = await beginSession(form, request.address, options);
  if ('problem' in begun) return showPage(visit, begun.status, options, begun);
  return leadOnFrom(visit, begun, options);
}

/**
 * GET /open?code=...: starts a session with a code from the command line. Then it redirects to the start page, so that
 * the code disappears from the address bar.
 * The code is used up only if a person opened the address in a browser. In all other cases the answer is a page with a
 * button that uses the code.
 */
export async function openByCode(request: ApiRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const code = readParameters(request.queryText).get('code');
  const queryText = request.queryText.replace(/(?:^|&)code=[^&]*/gi, '');
  const visit = await readVisit({ ...request, path: AUTHORIZATION_PATH, queryText }, options);
  if ('status' in visit) return visit;
  if (code === undefined) return showPage(visit, 200, options);
  if (!mayUseCode(request)) {
    return showPage(visit, 200, options, { asks: 'code', code });
  }
  const begun = await beginSessionByCode(code, options);
  if (!('problem' in begun)) return leadOnFrom(visit, begun, options);
  // If the same person opens the address again, it leads to the start page too, although the code has been used up.
  return visit.caller.visitor?.kind === 'signed-in'
    ? redirect(returnAddress('/', options.baseUrl), { 'Cache-Control': 'no-store' })
    : showPage(visit, begun.status, options, begun);
}

/** Reads a request to the sign-in page. If the person cannot continue, returns the answer instead. */
async function readVisit(request: ApiRequest, options: SignInPageOptions): Promise<Visit | ApiAnswer> {
  const { pool, baseUrl, findToken } = options;
  const asIs = readRequest({ ...request, headers: { ...request.headers, accept: 'text/html' } }, baseUrl);
  const caller = await findCaller(asIs, findToken);
  const read = caller.company === undefined ? asIs : withCompany(asIs, caller.company.code, baseUrl);
  const session = readSession(request.headers, baseUrl);
  const visit = { read, caller, session, client: undefined };
  const authorization = await readAuthorizationRequest(
    request.queryText,
    (id) => callDatabase(findApiClient(pool, id)),
    baseUrl,
  );
  switch (authorization?.kind) {
    case undefined:
      return visit;
    case 'asking':
      return { ...visit, client: authorization.client };
    case 'faulty':
      return redirect(authorization.location);
    case 'unknown-client':
      return showPage(visit, 400, options, { problem: 'unknownClient', asks: 'nothing' });
    case 'foreign-redirect':
      return showPage(visit, 400, options, { problem: 'foreignRedirect', asks: 'nothing' });
  }
}

async function goOn(visit: Visit, options: SignInPageOptions): Promise<ApiAnswer> {
  const { session, caller } = visit;
  if (session === undefined || caller.visitor?.kind !== 'signed-in') return showPage(visit, 403, options);
  return leadOn(visit, session, options);
}

interface Problem {
  readonly status: Status;
  readonly problem: SignInProblem;
  readonly retryAfterS?: number;
  /** The name that the person entered. */
  readonly login?: string;
}

async function beginSessionByCode(code: string, { signIns }: SignInPageOptions): Promise<Session | Problem> {
  const outcome = await signIns.byOpeningCode(code);
  return 'issued' in outcome
    ? { token: outcome.issued.accessToken, isGiven: false }
    : { status: 403, problem: 'codeRefused' };
}

async function beginSession(
  form: Parameters,
  address: string,
  options: SignInPageOptions,
): Promise<Session | Problem> {
  const { findToken, signIns } = options;
  const code = form.get('code');
  if (code !== undefined) return beginSessionByCode(code, options);
  const given = form.get('token')?.trim();
  if (given !== undefined) {
    const isValid = (await findToken(given)) !== undefined;
    return isValid ? { token: given, isGiven: true } : { status: 403, problem: 'tokenRefused' };
  }
  const [login = '', password = ''] = [form.get('login')?.trim(), form.get('password')];
  const outcome = await signIns.byPerson({ login, password, address });
  if ('accessToken' in outcome) return { token: outcome.accessToken, isGiven: false };
  return { status: outcome.problem === 'signInsBusy' ? 500 : 403, login, ...outcome };
}

function leadOnFrom(visit: Visit, begun: Session, options: SignInPageOptions): Promise<ApiAnswer> {
  return leadOn(visit, begun, options, { 'Set-Cookie': writeSession(begun, options.baseUrl) });
}

/** Redirects to the client with an authorization code, or to the previous page. */
async function leadOn(
  { client, read }: Visit,
  { token }: Session,
  { pool, baseUrl }: SignInPageOptions,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> {
  if (client === undefined) {
    const path = readParameters(read.request.queryText).get('return') ?? '/';
    return redirect(returnAddress(path, baseUrl), headers);
  }
  const code = await callDatabase(issueAuthorizationCode(pool, { ...client, sessionToken: token }));
  const answer =
    code === undefined
      ? { error: 'access_denied', error_description: 'The person and the client have no company in common.' }
      : { code };
  return redirect(redirectTo(client, baseUrl, answer), headers);
}

function showPage(
  visit: Visit,
  status: Status,
  { baseUrl }: SignInPageOptions,
  details: Partial<SignInPage> = {},
): ApiAnswer {
  const { read, caller, client } = visit;
  const context = writingContextOf(read, baseUrl, caller);
  const page: SignInPage = {
    action: ownAddress(context, {}),
    clientName: client?.name,
    asks: asksOf(visit),
    ...details,
  };
  const { retryAfterS } = details;
  const targets = client === undefined ? [] : [formTargetOf(client.redirectUri)];
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(targets),
      Vary: 'Accept-Language, Cookie',
      ...(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
    },
    body: Buffer.from(writeSignInPage(page, context)),
    isStreamed: false,
  };
}

/**
 * The kind of proof that the page asks for. If a client asks for permission, the session must have been started with a
 * password or a code: a pasted token is not enough.
 */
function asksOf({ client, caller, session }: Visit): SignInPage['asks'] {
  if (client === undefined) return 'password-or-token';
  return caller.visitor?.kind === 'signed-in' && session?.isGiven === false ? 'continue' : 'password';
}

/**
 * The source for the form-action of the Content-Security-Policy. The form of the page redirects to the client, so the
 * policy must allow the client's origin. It names only the protocol if the scheme has no origins, or if the host is a
 * literal IPv6 address, which a policy cannot contain.
 */
function formTargetOf(redirectUri: string): string {
  const { origin, protocol, hostname } = new URL(redirectUri);
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
}

/**
 * POST /oauth2/logout: revokes an access token or a refresh token, and with it all tokens of the same sign-in (RFC
 * 7009). Anybody who has the token may revoke it, so the request need not name a client. If it does name a client, the
 * client is authenticated and may revoke only its own tokens. The token is in the form, in the Authorization header, or
 * in the session of the page; in the last case the session ends. A token that was pasted into the session stays valid,
 * because it may be in use elsewhere.
 */
export async function answerLogout(request: FormRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const { authorization } = request.headers;
  try {
    const form = readParameters(request.formText ?? '');
    if (form.problem !== undefined) throw new OAuthError('invalid_request', form.problem);
    const token = form.get('token') ?? bearerOf(authorization);
    const isInForm = form.get('client_id') !== undefined || form.get('client_secret') !== undefined;
    const isNamed = isInForm || namesClient(authorization);
    const client = isNamed ? readClient(authorization, form) : undefined;
    if (token === undefined) return await endSession(request, options);
    if (client === undefined) {
      await callDatabase(revokeToken(options.pool, token));
    } else {
      const refused = await options.signIns.end(client, token, request.address);
      if (refused !== undefined) throw toOAuthError(refused);
    }
    return answerJson(200, {});
  } catch (error) {
    if (error instanceof OAuthError) return answerOAuthError(error, authorization);
    throw error;
  }
}

async function endSession(request: FormRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const { pool, baseUrl } = options;
  const session = readSession(request.headers, baseUrl);
  const { format, early } = readRequest(request);
  if (session === undefined && format !== 'html') {
    const message = 'Send the token to revoke as token in the form, or as Authorization: Bearer.';
    throw new OAuthError('invalid_request', message);
  }
  // A form from another site does not end the session. The sign-in page then says that nothing was done, and why.
  if (!isOwnPost(request.headers, baseUrl)) return takeSignIn(request, options);
  if (session?.isGiven === false) await callDatabase(revokeToken(pool, session.token));
  const headers = { 'Set-Cookie': forgetSession(baseUrl) };
  const parameters = [
    ...(early.language === undefined ? [] : [{ name: '$lang', value: early.language }]),
    ...(early.database === undefined ? [] : [{ name: '$db', value: early.database }]),
  ];
  if (format === 'html') return redirect(`${baseUrl}/oauth2${queryTextOf(parameters)}`, headers);
  const answer = answerJson(200, {});
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

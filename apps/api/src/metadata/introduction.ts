import type { ListResource, Resource } from '@takt/catalogue/resources';
import { MOST_BATCHED } from '../computed/batch-description.js';
import { accessRuleIds, permissionIds } from '../computed/computed-objects.js';
import { MOST_ROWS } from '../representations/export/xlsx-writer.js';
import { EXPORTS } from './describe-parameters.js';
import {
  exampleOwn,
  examplePath,
  FILTER_GRAMMAR,
  filterExamples,
  orderExamples,
  WALKS,
} from './query-guide.js';

const DEMO_COMPANY = 'TEM-NO';

/** A guide to the first request, in Markdown. Its examples work with the demo data. */
export function describeService(resources: readonly Resource[], baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  return `
Planned and actual production times, computed from completed operations, with the objects they belong to.
All resources are read with GET.

## First requests

Every request needs an access token. \`npm start\` prints one for its demo data; this creates another:

\`\`\`
TAKT_TOKEN=$(npx takt token create --database ${DEMO_COMPANY})
\`\`\`

It expires after 8 hours, or after the time given by \`--expires 7d\`; \`takt token revoke\` revokes it at once. Then:

\`\`\`
${resources.map((resource) => exampleRequest(resource, baseUrl)).join('\n\n')}
\`\`\`

## Sign-in

Programs get tokens of their own by OAuth 2; libraries find the endpoints by
[\`/.well-known/oauth-authorization-server\`](${baseUrl}/.well-known/oauth-authorization-server). \`takt client add\` registers
a program and prints its id and secret, \`takt user add\` a person, whose number (PID) is the user name.

| \`POST ${baseUrl}/oauth2/access_token\` | returns a token |
|---|---|
| \`grant_type=client_credentials\` | to a program that acts for itself |
| \`grant_type=password\` with \`username\` and \`password\` | to a program that a person trusts with the password; with a refresh token |
| \`grant_type=authorization_code\` with \`code\`, \`redirect_uri\` and \`code_verifier\` | after the person signed in at \`${baseUrl}/oauth2\` (PKCE, S256); with a refresh token |
| \`grant_type=refresh_token\` with \`refresh_token\` | in exchange for the previous one; each works once, and a second use ends the sign-in |

The program sends its id and secret by HTTP Basic or as \`client_id\` and \`client_secret\`. Errors are those of OAuth 2: 400
with \`error\`, \`error_description\` and the same text as \`message\`; after \`slow_down\` retry as Retry-After says. A code
works once, even if the request fails. A person has at most 100 sign-ins with a program, and a program 100 tokens for itself: then the
oldest are revoked. \`POST ${baseUrl}/oauth2/logout\` with \`token\` revokes a token.

## Permissions and duties

A resource needs a permission of the API client and a duty of the person, or of a client that acts for itself; each
operation below names both. A 403 names the missing one. A field may need a further duty, named in its
description: without it the field is missing from all answers, and unknown to \`$select\`, \`$filter\` and \`$orderby\`.

## Formats

JSON, XML and HTML, by \`$format\` or the Accept header, whose types may have parameters. The JSON name of a field is its XML name with the first letter
in lower case. Missing values are \`null\`, in XML \`xsi:nil="true"\`. Times are hours. [schema.xsd](${baseUrl}/schema.xsd)
describes the XML documents.

## Paging

A list comes in pages of \`$top\` rows. Paging has the links to the first, previous, next and last page: follow
NextPage until it is null. \`$inlinecount=allpages\` adds the number of all rows. ${WALKS}

## Files

${EXPORTS} The rows are read while the file is sent, as if NextPage were followed, and with the same guarantees. A file that
fails half-way closes its connection: a complete one ends with the last HTTP chunk. It has no ETag, and
no ranges. A third file at a time must wait (Retry-After).

| \`$format\` | is |
|---|---|
| \`csv\` | RFC 4180 in UTF-8: CRLF, commas, decimal points, empty for missing values. A value with a comma, a semicolon, a quote or a line end is quoted. A line of text that begins like a formula (\`= + - @ |\`, also after blanks, or with a tab or carriage return) gets a leading apostrophe. With \`$decimal=comma\` semicolons, decimal commas and a byte order mark |
| \`xlsx\` | a workbook: numbers are numbers, instants are dates (UTC), text is never a formula; the header is frozen and has filters. At most ${MOST_ROWS} rows |

## Several requests in one

\`/batch\` requests up to ${MOST_BATCHED} addresses in parallel, each with its own parameters and encoded as a whole, and returns their
documents in the same order. An address that fails has an Error in its place. The token, \`$format\`, \`$lang\` and \`$db\` of the batch
apply to all of them; each counts as one request of the token. An address with a \`$format\` that a batch cannot
contain, such as \`csv\`, has an Error in its place.

\`\`\`
curl -G -H "Authorization: Bearer $TAKT_TOKEN" '${baseUrl}/batch' \\
  --data-urlencode 'resource0=product/products?$top=2' \\
  --data-urlencode 'resource1=system/error-messages/101015'
\`\`\`

## Filters

\`$filter\` keeps the rows for which an expression is true:

${FILTER_GRAMMAR}

${resources.filter(isList).map(filterLine).join('\n')}

## Metadata

\`GET /metadata?uri=/product/products\` describes the resource at a path as the token sees it: its fields and their
positions, the names for \`$filter\` and \`$orderby\`, the maximum of rows per page. Fields with a missing duty are left
out. admittance says whether the resource itself would be refused, and by which error message:

| admittance | is |
|---|---|
| accessDenied | the message of the refusal, in the language of \`$lang\`; null: the resource may be read |
| missingPermissionId | the number of the client's missing permission: ${numbersOf(permissionIds)} |
| accessRuleId | the number of the missing duty: ${numbersOf(accessRuleIds)} |
| errorMessageId | the identifier of the error message of the refusal |

\`$expand\` adds further parts. \`GET /system/sessions/current\` describes the token.

## Errors

A request that fails is answered with 400, 403, 404 or 500 and an Error: its message says what is wrong, its
errorMessageId is the same in every language, and its errorMessageLink leads to details. \`$lang\` translates it.

## For generated clients

The types of answers are those of JSON; the other formats have the same fields. Required properties are present unless
\`$select\` leaves them out. Values of a domain are known values: an answer may have others, without a description.

## Beyond the specification

| what | is |
|---|---|
| [\`GET /\`](${baseUrl}/) | the index; no token is needed |
| \`GET /metadata\`, \`GET /system/sessions/current\` | descriptions of a resource and of the token, as in the followed service |
| \`GET /system/error-messages/{errorMessageId}\` | the target of an errorMessageLink |
| \`GET /batch\` | several requests in one, see above |
| \`$skip\` | accepted without \`$pageKey\`, for clients without page keys |
| \`$format=csv\`, \`$format=xlsx\`, \`$decimal\` | the whole list as a file |
| \`ETag\`, \`If-None-Match\` | an unchanged document is not sent again |
| \`Content-Language\` | the language of messages and descriptions in the answer |
| HTML pages | not cached (\`no-store\`); a person signs in there, and an address with a token redirects a browser to the same address without it |
| [\`/health/ready\`](${origin}/health/ready), \`/health/live\`, \`/metrics\` | for supervisors and operators, at the root of the server |
`.trim();
}

const numbersOf = (identifiers: Readonly<Record<string, number>>): string =>
  Object.entries(identifiers)
    .map(([name, identifier]) => `${identifier} \`${name}\``)
    .join(', ');

const isList = (resource: Resource): resource is ListResource => resource.kind === 'list';

function filterLine(resource: ListResource): string {
  const examples = filterExamples(resource).map((value) => `\`${value}\``);
  return `- ${resource.title.eng}: ${examples.join(' · ')}`;
}

/** A command with curl that requests the resource and finds something in the demo data. */
export function exampleRequest(resource: Resource, baseUrl: string): string {
  const begin = `curl -G -H "Authorization: Bearer $TAKT_TOKEN" '${baseUrl}${examplePath(resource)}'`;
  const parameters = [...exampleOwn(resource), ...exampleParameters(resource)].map(
    (value) => `  --data-urlencode ${quotedForShell(value)}`,
  );
  return [begin, ...parameters].join(' \\\n');
}

/** Quotes a word for a shell. Single quotes inside the word, such as those of a filter, are escaped. */
const quotedForShell = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

function exampleParameters(resource: Resource): readonly string[] {
  if (resource.kind === 'detail') return ['$format=xml'];
  return [
    ...filterExamples(resource)
      .slice(0, 1)
      .map((value) => `$filter=${value}`),
    ...orderExamples(resource)
      .slice(0, 1)
      .map((value) => `$orderby=${value}`),
    '$top=5',
  ];
}

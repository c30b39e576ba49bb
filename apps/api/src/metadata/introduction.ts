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

/** A guide to the first request, in Markdown. The examples work with the demo. */
export function describeService(resources: readonly Resource[], baseUrl: string): string {
  const { origin } = new URL(baseUrl);
  return `
The times that production was planned to take and took, computed from completed operations, and what belongs to them.
All resources are read with GET.

## First requests

Every request carries an access token. \`npm start\` prints one for its demo data; this makes another:

\`\`\`
TAKT_TOKEN=$(npx takt token create --database ${DEMO_COMPANY})
\`\`\`

It expires after 8 hours, or as \`--expires 7d\` says; \`takt token revoke\` ends it at once. Then:

\`\`\`
${resources.map((resource) => exampleRequest(resource, baseUrl)).join('\n\n')}
\`\`\`

## Sign-in

Programs get tokens of their own by OAuth 2, and libraries find how by
[\`/.well-known/oauth-authorization-server\`](${baseUrl}/.well-known/oauth-authorization-server). \`takt client add\` registers
a program and prints its id and secret, \`takt user add\` a person, whose number (PID) is the user name.

| \`POST ${baseUrl}/oauth2/access_token\` | gives a token |
|---|---|
| \`grant_type=client_credentials\` | to a program that acts for itself |
| \`grant_type=password\` with \`username\` and \`password\` | to a program that a person trusts with the password; with a refresh token |
| \`grant_type=authorization_code\` with \`code\`, \`redirect_uri\` and \`code_verifier\` | after the person signed in at \`${baseUrl}/oauth2\` (PKCE, S256); with a refresh token |
| \`grant_type=refresh_token\` with \`refresh_token\` | in place of the one before; each works once, and a second use ends the sign-in |

The program shows its id and secret as HTTP Basic or as \`client_id\` and \`client_secret\`. Errors are those of OAuth 2: 400
with \`error\`, \`error_description\` and the same as \`message\`; who gets \`slow_down\` asks again as Retry-After says. A code
works once, whatever comes of it. A person has 100 sign-ins with a program at most, and a program 100 tokens for itself: the
oldest end. \`POST ${baseUrl}/oauth2/logout\` with \`token\` ends a token.

## Permissions and duties

A resource needs a permission of the API client and a duty of the person, or of a client that acts for itself; each
operation below names both. What is missing is named by the 403. A field can need a duty besides, which its description
names: without it the field is left out of every answer, and \`$select\`, \`$filter\` and \`$orderby\` do not know it.

## Formats

JSON, XML and HTML, by \`$format\` or the Accept header, whose types may bear parameters. The JSON name of a field is its XML name with the first letter
lowered. Missing values are \`null\`, in XML \`xsi:nil="true"\`. Times are hours. The XML documents are described by
[schema.xsd](${baseUrl}/schema.xsd).

## Paging

A list comes in pages of \`$top\` rows. Paging holds the links to the first, previous, next and last page: follow
NextPage until it is null. \`$inlinecount=allpages\` adds the number of all rows. ${WALKS}

## Files

${EXPORTS} The rows are read while the file is sent, as if NextPage were followed, and with the same promise. A file that
breaks off ends its connection: what is whole ends with the last chunk of HTTP. It has no ETag, and no part of it can be
asked for. Whoever asks for a third file at a time is told to wait (Retry-After).

| \`$format\` | is |
|---|---|
| \`csv\` | RFC 4180 in UTF-8: CRLF, commas, decimal points, nothing where a value is missing. What holds a comma, a semicolon, a quote or a line end is quoted. Each line of a text that begins as a formula does (\`= + - @ |\`, also behind blanks, or with a tab or carriage return) has an apostrophe before it. With \`$decimal=comma\` semicolons, decimal commas and a byte order mark |
| \`xlsx\` | a workbook: numbers are numbers, points in time are dates (UTC), text is never a formula; the header is frozen and filters are on. At most ${MOST_ROWS} rows |

## Several requests in one

\`/batch\` asks for up to ${MOST_BATCHED} addresses side by side, each with its own parameters and encoded as a whole, and answers with their
documents in that order. What fails is an Error in its place. The token, \`$format\`, \`$lang\` and \`$db\` of the batch
hold for all of them; each counts as one request of the token. An address that itself names a \`$format\` that no batch
holds, such as \`csv\`, is an Error in its place.

\`\`\`
curl -G -H "Authorization: Bearer $TAKT_TOKEN" '${baseUrl}/batch' \\
  --data-urlencode 'resource0=product/products?$top=2' \\
  --data-urlencode 'resource1=system/error-messages/101015'
\`\`\`

## Filters

\`$filter\` keeps the rows for which an expression is true:

${FILTER_GRAMMAR}

${resources.filter(isList).map(filterLine).join('\n')}

## What a resource is

\`GET /metadata?uri=/product/products\` tells what the resource at a path is, as the token may see it: its fields and where they
stand, what \`$filter\` and \`$orderby\` know, the most rows of a page. A field that the token lacks the duty for is not
told. Whether the resource itself is refused, and by which error message, is told in admittance:

| admittance | is |
|---|---|
| accessDenied | the message of the refusal, in the language of \`$lang\`; null: the resource may be read |
| missingPermissionId | the number of the client's permission that is missing: ${numbersOf(permissionIds)} |
| accessRuleId | the number of the duty that is missing: ${numbersOf(accessRuleIds)} |
| errorMessageId | the identifier of the error message of the refusal |

Whatever else there is to tell is named by \`$expand\`. \`GET /system/sessions/current\` tells what the token stands for.

## Errors

A request that fails is answered with 400, 403, 404 or 500 and an Error: its message says what is wrong, its
errorMessageId is the same in every language, and its errorMessageLink leads to more about it. \`$lang\` translates it.

## For generated clients

The types of answers are those of JSON; the other formats hold the same fields. What a schema requires is there unless
\`$select\` leaves it out. Values of a domain are known values: an answer may hold others, which have no description yet.

## Beyond the specification

| what | is |
|---|---|
| [\`GET /\`](${baseUrl}/) | what there is; no token is needed |
| \`GET /metadata\`, \`GET /system/sessions/current\` | what a resource is, and what a token stands for, as programs ask the followed service |
| \`GET /system/error-messages/{errorMessageId}\` | where an errorMessageLink leads |
| \`GET /batch\` | several requests in one, see above |
| \`$skip\` | taken without \`$pageKey\`, for clients that know no page keys |
| \`$format=csv\`, \`$format=xlsx\`, \`$decimal\` | the whole list as a file |
| \`ETag\`, \`If-None-Match\` | what a client still holds is not sent again |
| \`Content-Language\` | the language of messages and descriptions in the answer |
| HTML pages | kept by nobody (\`no-store\`); a person signs in there, and an address with a token leads a browser to the same one without |
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

/** A request with curl that finds something in the demo data. */
export function exampleRequest(resource: Resource, baseUrl: string): string {
  const begin = `curl -G -H "Authorization: Bearer $TAKT_TOKEN" '${baseUrl}${examplePath(resource)}'`;
  const parameters = [...exampleOwn(resource), ...exampleParameters(resource)].map(
    (value) => `  --data-urlencode ${quotedForShell(value)}`,
  );
  return [begin, ...parameters].join(' \\\n');
}

/** Quotes a word for a shell; the quotes in a filter stay. */
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

import type { Random } from '@takt/test-support';
import { sortFields } from './expected-order.js';
import { hostileTexts } from './hostile-texts.js';
import { LIST } from './production-times.js';

/** A request in which one parameter is manipulated. */
export interface HostileQuery {
  /** The path and the query as the client sends them. */
  readonly target: string;
  /** The name of the manipulated parameter in lower case. Empty if the query or the path as a whole is wrong. */
  readonly parameter: string;
}

const DETAIL = '/system/applications/10001/versions/1001';
const PATHS = [LIST, LIST, '/system/error-messages', '/system/error-messages/101015', DETAIL];

const LIST_PARAMETERS = [
  ...['$filter', '$filter', '$filter', '$orderby', '$select', '$expand', '$top', '$skip', '$pageKey'],
  ...['$inlinecount', 'search', '$lang', '$db', '$useMinimumVersion', '$format', '$showDomainDescriptions'],
  ...['$access_token', '$nothing', '__proto__', '$__proto__', 'constructor', 'x'],
];

const OPERATORS = ['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'in', 'EQ', '=', 'like', 'has'];
const FUNCTIONS = [
  ...['startswith', 'endswith', 'contains', 'substringof', 'tolower', 'toupper', 'trim', 'length'],
  ...['concat', 'substring', 'indexof', 'round', 'floor', 'ceiling', 'exec', 'pg_sleep'],
];

/** Combines valid requests with parts that have broken other services. Equal random numbers give equal requests. */
export function hostileQuery(random: Random): HostileQuery {
  const path = random.pick(PATHS);
  if (random() < 0.05) return { target: hostilePath(random), parameter: '' };
  const parameter = random.pick(LIST_PARAMETERS);
  const value = hostileValue(random, parameter);
  const others = random() < 0.3 ? [encodePair(random, '$top', '2')] : [];
  const pieces = [...others, encodePair(random, parameter, value)];
  if (random() < 0.05) pieces.push(encodePair(random, parameter.toUpperCase(), value));
  if (random() < 0.02) pieces.push(...Array.from({ length: 60 }, (_, index) => `x${index}=1`));
  const format = random() < 0.5 ? '' : `&$format=${random.pick(['json', 'jsonstream', 'xml', 'html'])}`;
  const target = `${path}?${pieces.join('&')}${parameter === '$format' ? '' : format}`;
  return {
    target: target.slice(0, MAX_TARGET),
    parameter: pieces.length === 1 ? parameter.toLowerCase() : '',
  };
}

/** Maximum length of a target. Node.js accepts request lines of this length, so all requests reach the API. */
const MAX_TARGET = 12_000;

function hostilePath(random: Random): string {
  const piece = () => encodeOddly(random, random.pick(hostileTexts));
  const version = `/system/applications/${piece()}/versions/${piece()}`;
  return random.pick([
    ...[version, `${LIST}/${piece()}`, `/${piece()}`, `/system/error-messages/${piece()}`, `${LIST}%00`],
  ]);
}

function hostileValue(random: Random, parameter: string): string {
  if (random() < 0.25) return mutate(random, validValue(random, parameter));
  if (parameter === '$filter' && random() < 0.7) return hostileFilter(random);
  const pieces = Array.from({ length: 1 + random.below(3) }, () => random.pick(hostileTexts));
  const value = pieces.join(random.pick(['', ',', ' ', '.', ' desc,']));
  return random() < 0.03 ? value.repeat(1 + random.below(400)) : value;
}

function validValue(random: Random, parameter: string): string {
  const field = random.pick(sortFields);
  switch (parameter) {
    case '$filter':
      return `${field} gt 1.5 and (contains(ProductName,'a') or not ${field} eq null) and RunTime in (1,2m,3)`;
    case '$orderby':
      return `${field} desc, ProductName asc, RunTime`;
    case '$select':
      return 'ProductStructureVersion.ProductStructure.Product.Name,Message,Namespace,Name';
    case '$expand':
      return 'PagingDetails';
    case '$pageKey':
      return Buffer.from(`${random()}`.repeat(4)).toString('base64url');
    default:
      return random.pick(['10', 'allpages', 'true', 'eng', 'TEM-NO', 'json']);
  }
}

/** Removes, duplicates, swaps or replaces a few characters of a text. */
function mutate(random: Random, text: string): string {
  const characters = [...text];
  for (let count = 1 + random.below(4); count > 0; count -= 1) {
    const at = random.below(characters.length + 1);
    const inserted = random.pick([[], [random.pick(hostileTexts)], characters.slice(at, at + 5), ['(']]);
    characters.splice(at, random.below(3), ...inserted);
  }
  return characters.join('');
}

/** Returns a filter with words of the grammar in any order, or with too many repetitions of one part. */
function hostileFilter(random: Random): string {
  const literal = () => random.pick([...hostileTexts, "'a'", '1', '1.5m', 'null', ...sortFields]);
  const count = 1 + random.below(60);
  return random.pick([
    () => '('.repeat(count) + literal() + ')'.repeat(random.below(60)),
    () => 'not '.repeat(count) + literal(),
    () => `RunTime in (${Array.from({ length: count }, literal).join(',')})`,
    () =>
      Array.from({ length: count }, () => `RunTime gt ${count}`).join(random.pick([' and ', ' or ', ' '])),
    () => `${random.pick(FUNCTIONS)}(`.repeat(count % 25) + literal() + ')'.repeat(count % 25),
    () => `${random.pick(sortFields)} ${random.pick(OPERATORS)} ${literal()}`,
    () => `ProductName eq '${random.pick(hostileTexts).replaceAll("'", random() < 0.5 ? "''" : "'")}'`,
    () => `contains(ProductName,'${random.pick(hostileTexts)}') eq ${literal()}`,
    () => `'${'a'.repeat(count * 40)}' eq ProductName`,
    () => `${literal()} ${random.pick(OPERATORS)} ${literal()} ${literal()}`,
  ])();
}

function encodePair(random: Random, name: string, value: string): string {
  const encodedName = random() < 0.1 ? encodeURIComponent(name) : name;
  return `${encodedName}=${encodeOddly(random, value)}`;
}

/**
 * Encodes a text, usually in the correct way. Sometimes encodes the text twice or incompletely, or adds bytes that are
 * not UTF-8.
 */
function encodeOddly(random: Random, text: string): string {
  const encoded = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  const way = random();
  if (way < 0.85) return encoded;
  if (way < 0.9) return encodeURIComponent(encoded);
  if (way < 0.93) return encoded.replaceAll('%20', '+').toLowerCase();
  const bytes = [
    ...['%', '%2', '%C0%AF', '%FF', '%ED%A0%80', '%F4%90%80%80', '%00', '%u0041', '%E2%82', '%zz', ';'],
    ...['=', '&&'],
  ];
  return encoded + random.pick(bytes);
}

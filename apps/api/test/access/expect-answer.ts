import { type ErrorCode, type ErrorEntry, errorCatalogue, statusDescriptions } from '@takt/catalogue/errors';
import {
  aggregatedProductionTimes,
  COMPARE_PATH,
  jsonName,
  newestOf,
  type Resource,
  resourceFamilies,
} from '@takt/catalogue/resources';
import { elementsAt, parseXml } from '@takt/test-support';
import { expect } from 'chai';
import type { HttpAnswer } from '../support/http-client.js';
import { jsonAt } from '../support/json-at.js';

export const formats = ['json', 'jsonstream', 'xml', 'html'] as const;
export type Format = (typeof formats)[number];

export const CONTENT_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json; charset=utf-8',
  jsonstream: 'application/json; charset=utf-8',
  xml: 'application/xml; charset=utf-8',
  html: 'text/html; charset=utf-8',
};

/** The error that an answer must contain. */
export interface Refused {
  readonly code: ErrorCode;
  readonly parameters: readonly string[];
}

/** Returns the newest version of the resource with a path template. */
export function resourceAt(path: string): Resource {
  // The comparison of structure versions returns rows of the list of production times.
  const listed = path === COMPARE_PATH ? aggregatedProductionTimes.path : path;
  const family = resourceFamilies.find((one) => one.path === listed);
  if (family === undefined) throw new Error(`${path} is no resource`);
  return newestOf(family);
}

/** Asserts that the answer is the resource in this format. */
export function expectResource(answer: HttpAnswer, format: Format, resource: Resource, what: string): void {
  const { status, headers, text } = answer;
  expect(status, `${what}: ${text}`).to.equal(200);
  expect(headers['content-type'], what).to.equal(CONTENT_TYPES[format]);
  expect(headers, what).to.include({ 'resource-id': String(resource.identifier) });
  expect(headers, what).to.have.property('etag');
  expect(headers['www-authenticate'], what).to.equal(undefined);
  const root = resource.kind === 'list' ? resource.container : resource.element;
  if (format === 'html') {
    expect(text, what)
      .to.match(/^<!DOCTYPE html>/)
      .and.include(resource.title.eng);
  } else if (format === 'xml') {
    const parsed = parseXml(text);
    expect(parsed.name, what).to.equal(root);
    expect(elementsAt(parsed, 'Paging'), what).to.have.lengthOf(resource.kind === 'list' ? 1 : 0);
  } else {
    const names = resource.kind === 'list' ? [jsonName(root), 'paging'] : [jsonName(root)];
    expect(Object.keys(JSON.parse(text)), what).to.deep.equal(names);
  }
}

/** Asserts that the answer is a successful batch with one address in this format. */
export function expectBatch(answer: HttpAnswer, format: Format, what: string): void {
  const { status, headers, text } = answer;
  expect(status, `${what}: ${text}`).to.equal(200);
  expect(headers['content-type'], what).to.equal(CONTENT_TYPES[format]);
  expect(headers, what).to.include({ 'resource-id': '9021' });
  expect(headers, what).to.have.property('etag');
  expect(text, what).not.to.match(/httpStatusCode/i);
  if (format === 'xml') {
    expect(elementsAt(parseXml(text), 'Resource.Response.Session'), what).to.have.lengthOf(1);
  } else {
    expect(jsonAt(JSON.parse(text), 'resources.0.response.session'), what).to.be.an('object');
  }
}

/** Asserts that the answer is exactly this error in this format, with its status, headers and parameters. */
export function expectRefusal(answer: HttpAnswer, format: Format, refused: Refused, what: string): void {
  const { status, headers, text } = answer;
  const definition: ErrorEntry = errorCatalogue[refused.code];
  const { errorMessageId, wwwAuthenticate } = definition;
  expect(status, `${what}: ${text}`).to.equal(definition.status);
  expect(headers['content-type'], what).to.equal(CONTENT_TYPES[format]);
  expect(headers['cache-control'], what).to.equal('no-store');
  expect(headers['www-authenticate'], what).to.equal(wwwAuthenticate);
  expect(headers, what).not.to.have.any.keys('etag', 'resource-id', 'resource-version');
  if (format === 'html') {
    // An HTML page shows a link to the sign-in page if the token is invalid, and the error message for any other error.
    const told =
      refused.code === 'invalidAccessToken' ? '/oauth2?' : `/system/error-messages/${errorMessageId}`;
    expect(text, what)
      .to.match(/^<!DOCTYPE html>/)
      .and.include(told);
    for (const parameter of refused.parameters) expect(text, what).to.include(parameter);
    return;
  }
  const told = format === 'xml' ? readXmlError(text) : readJsonError(text);
  expect(told, what).to.deep.equal({
    statusCode: String(definition.status),
    description: statusDescriptions[definition.status],
    errorMessageId: String(errorMessageId),
    parameters: refused.parameters,
  });
}

interface Told {
  readonly statusCode: string;
  readonly description: string;
  readonly errorMessageId: string;
  readonly parameters: readonly string[];
}

function readJsonError(text: string): Told {
  const error: unknown = JSON.parse(text);
  const at = (path: string) => String(jsonAt(error, path));
  const parameters = jsonAt(error, 'parameters');
  return {
    statusCode: at('hTTPStatusCode'),
    description: at('hTTPStatusDescription'),
    errorMessageId: at('errorMessage.errorMessageId'),
    parameters: Array.isArray(parameters)
      ? parameters.map((parameter) => String(jsonAt(parameter, 'value')))
      : [],
  };
}

function readXmlError(text: string): Told {
  const error = parseXml(text);
  expect(error.name).to.equal('Error');
  const all = (path: string) => elementsAt(error, path).map((element) => element.text);
  return {
    statusCode: all('HTTPStatusCode').join(),
    description: all('HTTPStatusDescription').join(),
    errorMessageId: all('ErrorMessage.ErrorMessageId').join(),
    parameters: all('Parameters.Parameter.Value'),
  };
}

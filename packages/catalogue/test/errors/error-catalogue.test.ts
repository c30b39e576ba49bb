import { expect } from 'chai';
import { accessErrors } from '../../src/errors/definitions/access.js';
import { intakeBodyErrors, intakeErrors } from '../../src/errors/definitions/intake.js';
import { queryErrors } from '../../src/errors/definitions/query.js';
import { queryExpressionErrors } from '../../src/errors/definitions/query-expression.js';
import {
  queryBatchErrors,
  queryExportErrors,
  queryPageErrors,
  queryParameterErrors,
} from '../../src/errors/definitions/query-parameter.js';
import { resourceErrors } from '../../src/errors/definitions/resource.js';
import { systemErrors } from '../../src/errors/definitions/system.js';
import { errorCatalogue, statusDescriptions } from '../../src/errors/index.js';
import { entries } from './support/entries.js';

/**
 * The published errors, as the interface description lists them. Clients depend on these values, so every change breaks
 * clients.
 */
const published = `
  100000 404 resourceNotFound verb path
  100001 500 internalError
  100002 500 overloaded
  100003 500 databaseUnavailable
  100004 400 malformedRequest
  100005 400 headerTooLarge limit
  100006 400 requestTimeout seconds
  100007 500 shuttingDown
  100010 400 tooManyHeaders limit
  100011 400 chunksTooSmall
  100100 403 invalidAccessToken
  100101 403 companyNotPermitted database
  100102 403 permissionMissing permission
  100103 403 dutyMissing duty
  100200 400 malformedEncoding position found
  100201 400 queryTooLong limit
  100202 400 tooManyParameters limit
  100203 400 unknownParameter parameter known
  100204 400 repeatedParameter parameter
  100205 400 controlCharacter parameter position
  100206 400 parameterNotAccepted parameter
  100207 400 invalidParameterValue parameter found expected
  100208 400 parameterTooLong parameter length limit
  100209 400 syntaxError parameter position found expected
  100210 400 expressionTooLarge parameter measure limit
  100211 400 unknownFunction parameter position found known
  100212 400 tooManyOrderFields limit
  100213 400 skipWithPageKey
  100214 400 unknownField parameter position found known
  100215 400 ambiguousField parameter position found candidates
  100216 400 repeatedField parameter position found
  100217 400 wrongType parameter position found expected
  100218 400 invalidPageKey
  100219 400 pageKeyOfOtherQuery
  100220 400 unsupportedVersion requested newest
  100221 400 brokenParameter found
  100222 500 queryTooSlow
  100223 400 exportOfOneObject format
  100224 400 parameterOfPages parameter format
  100225 400 decimalWithoutCsv
  100226 400 tooManyRowsForSheet rows limit
  100240 400 missingParameter parameter
  100245 400 emptyBatch
  100246 400 tooManyInBatch count limit
  100247 400 parameterBesideBatch parameter known
  100248 400 batchInBatch
  100249 400 tokenInBatch
  100250 400 batchTooLarge limit
  100252 400 parameterWithoutDollar parameter right
  100253 400 parameterOfOthers parameter
  100254 400 ambiguousNumber value one other
  100255 400 unquotedInstant parameter position found
  100256 400 unknownValue value known
  100300 400 invalidIdentifier name found minimum
  100301 404 errorMessageNotFound errorMessageId
  100400 400 invalidEvents invalid events
  100401 400 invalidEvent index field rule got
  100402 403 companyOfEventNotPermitted index database
  100403 400 tooManyEvents limit
  100404 400 tooManyValuesInEvent index limit byte
  100405 400 tooManyValues index limit
  100450 400 contentTypeNotTaken found known
  100451 400 contentEncodingNotTaken found
  100452 400 bodyTooLarge limit
  100453 400 emptyBody
  100454 400 bodyBroken
  100455 400 bodyNotGzip
  100456 400 charsetNotTaken found
  100457 400 bodyNotText charset
  100458 400 bodyNotJson found
  100459 400 batchNotArray
  100460 400 moreFaults count
  100461 500 queueUnavailable
  100462 400 headerNotText header
  101015 404 permissionNotFound
`
  .trim()
  .split(/\n\s*/);

describe('the error catalogue', () => {
  it('keeps the identifier, status and parameters of every published error', () => {
    const lines = entries.map(([code, { errorMessageId, status, parameters }]) =>
      [errorMessageId, status, code, ...parameters].join(' '),
    );
    expect(lines).to.include.members(published);
  });

  it('gives every error a unique identifier of at least 100000', () => {
    const identifiers = entries.map(([, { errorMessageId }]) => errorMessageId);
    expect(new Set(identifiers).size).to.equal(identifiers.length);
    expect(
      identifiers.filter((identifier) => !(Number.isInteger(identifier) && identifier >= 100_000)),
    ).to.deep.equal([]);
  });

  it('contains every error of its parts, each with a code of its own', () => {
    const parts = [systemErrors, accessErrors, queryErrors, resourceErrors, intakeErrors, intakeBodyErrors];
    const queryParts = [
      queryParameterErrors,
      queryExpressionErrors,
      queryPageErrors,
      queryExportErrors,
      queryBatchErrors,
    ];
    const codesOf = (tables: readonly object[]) => tables.flatMap((table) => Object.keys(table)).sort();
    expect(codesOf([errorCatalogue])).to.deep.equal(codesOf(parts));
    expect(codesOf([queryErrors])).to.deep.equal(codesOf(queryParts));
  });

  it('gives each namespace a hundred identifiers of its own, except for one older identifier', () => {
    const firstOf = { system: 100_000, access: 100_100, query: 100_200, resource: 100_300, intake: 100_400 };
    const strays = entries.filter(([, { errorMessageId, namespace }]) => {
      const distance = errorMessageId - firstOf[namespace];
      return distance < 0 || distance > 99;
    });
    expect(strays.map(([code]) => code)).to.deep.equal(['permissionNotFound']);
  });

  it('uses only four statuses and their descriptions', () => {
    expect(statusDescriptions).to.deep.equal({
      400: 'BadRequest',
      403: 'Forbidden',
      404: 'NotFound',
      500: 'InternalServerError',
    });
    const statuses = new Set(entries.map(([, { status }]) => status));
    expect([...statuses].sort()).to.deep.equal([400, 403, 404, 500]);
  });

  it('asks clients to retry only after failures of the service, within 3 seconds', () => {
    for (const [code, { status, retryAfterSeconds }] of entries) {
      if (retryAfterSeconds === undefined) continue;
      expect(status, code).to.equal(500);
      expect(retryAfterSeconds, code).to.be.oneOf([1, 2, 3]);
    }
    expect(errorCatalogue.overloaded.retryAfterSeconds).to.equal(1);
    expect(errorCatalogue.databaseUnavailable.retryAfterSeconds).to.equal(2);
    expect(errorCatalogue.shuttingDown.retryAfterSeconds).to.equal(1);
  });

  it('asks for another token only if access was refused', () => {
    for (const [code, { status, wwwAuthenticate }] of entries) {
      if (wwwAuthenticate !== undefined) expect(status, code).to.equal(403);
    }
    expect(errorCatalogue.invalidAccessToken.wwwAuthenticate).to.equal('Bearer error="invalid_token"');
    for (const code of ['permissionMissing', 'dutyMissing'] as const) {
      expect(errorCatalogue[code].wwwAuthenticate).to.equal('Bearer error="insufficient_scope"');
    }
  });
});

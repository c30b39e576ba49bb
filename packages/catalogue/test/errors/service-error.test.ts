import { expect } from 'chai';
import { describeError, type ErrorWord, renderMessage, ServiceError } from '../../src/errors/index.js';

describe('renderMessage', () => {
  it('inserts the values where the language needs them', () => {
    const values = ['$filter', '7', 'Nmae', 'Name, Status'];
    expect(renderMessage('unknownField', values, 'eng')).to.equal(
      '$filter names the unknown field “Nmae” at position 7. Use one of these: Name, Status.',
    );
    expect(renderMessage('unknownField', values, 'deu')).to.equal(
      '$filter nennt an Position 7 das unbekannte Feld „Nmae“. Verwenden Sie eines von diesen: Name, Status.',
    );
  });

  it('does not replace a placeholder or a replacement pattern inside an inserted value', () => {
    expect(renderMessage('resourceNotFound', ['{1}', '/{0}/$&/$1/$$'], 'eng')).to.equal(
      'There is no resource for {1} /{0}/$&/$1/$$. Check the path; resources answer to GET and HEAD only.',
    );
  });

  it('keeps a placeholder without a value, and ignores a value without a placeholder', () => {
    expect(renderMessage('repeatedParameter', [], 'eng')).to.include('“{0}”');
    expect(renderMessage('overloaded', ['x'], 'eng')).not.to.include('x');
  });

  it('inserts a value of a megabyte quickly', () => {
    const value = '{0}{1}$'.repeat(150_000);
    const before = process.cpuUsage();
    expect(renderMessage('resourceNotFound', ['GET', value], 'pol')).to.include(value);
    expect(process.cpuUsage(before).user).to.be.lessThan(500_000);
  });
});

describe('ServiceError', () => {
  it('keeps its code and its values, in the order of the catalogue', () => {
    const error = new ServiceError('resourceNotFound', { path: '/x', verb: 'POST' });
    expect(error).to.be.instanceOf(Error);
    expect(error.name).to.equal('ServiceError');
    expect(error.code).to.equal('resourceNotFound');
    expect(error.parameters).to.deep.equal(['POST', '/x']);
    expect(error.innerErrors).to.deep.equal([]);
    expect(error.message).to.equal(
      'There is no resource for POST /x. Check the path; resources answer to GET and HEAD only.',
    );
  });

  it('needs no parameters if the error has none', () => {
    expect(new ServiceError('internalError').parameters).to.deep.equal([]);
    expect(new ServiceError('internalError', {}).parameters).to.deep.equal([]);
  });

  it('keeps its cause, if any', () => {
    const cause = new Error('connection reset');
    expect(new ServiceError('databaseUnavailable', {}, { cause }).cause).to.equal(cause);
    expect(new ServiceError('databaseUnavailable')).not.to.have.property('cause');
  });

  it('rejects a missing parameter, even if the prototype has a property of that name', () => {
    const untyped: unknown = { path: '/x' };
    const parameters = untyped as { verb: string; path: string };
    expect(() => new ServiceError('resourceNotFound', parameters)).to.throw(
      TypeError,
      'resourceNotFound needs the parameter verb',
    );
    const inherited = Object.create({ verb: 'GET', path: '/x' }) as { verb: string; path: string };
    expect(() => new ServiceError('resourceNotFound', inherited)).to.throw(TypeError);
  });
});

describe('describeError', () => {
  it('describes an error as a plain value, in English and in the requested language', () => {
    const error = new ServiceError('unsupportedVersion', { requested: '9', newest: '5' });
    expect(describeError(error, 'nob')).to.deep.equal({
      status: 400,
      statusDescription: 'BadRequest',
      message:
        '$useMinimumVersion asks for version 9, but the newest is 5. Ask for that version or an older one.',
      translatedMessage:
        '$useMinimumVersion ber om versjon 9, men den nyeste er 5. Be om den eller en eldre versjon.',
      errorMessageId: 100220,
      parameters: [
        { index: 0, value: '9' },
        { index: 1, value: '5' },
      ],
      innerErrors: [],
    });
  });

  it('writes quoted names, ranges and lists of alternatives in the requested language', () => {
    const valuesOf = (...expected: readonly ErrorWord[]) => {
      const error = new ServiceError('invalidParameterValue', { parameter: '$top', found: '0', expected });
      return (['eng', 'deu'] as const).map((language) => describeError(error, language).parameters[2]?.value);
    };
    const range = { phrase: 'integer {0}..{1}', values: ['1', '80'] } as const;
    expect(valuesOf(range)).to.deep.equal(['integer 1..80', 'ganze Zahl 1..80']);
    expect(valuesOf(range, { token: '$max' })).to.deep.equal([
      "integer 1..80 or '$max'",
      "ganze Zahl 1..80 oder '$max'",
    ]);
    expect(valuesOf({ token: 'a' }, { token: 'b' }, { token: '{0}' })).to.deep.equal([
      "'a', 'b' or '{0}'",
      "'a', 'b' oder '{0}'",
    ]);
    expect(valuesOf({ ...range, values: ['{1}', '$&'] })).to.deep.equal([
      'integer {1}..$&',
      'ganze Zahl {1}..$&',
    ]);
  });

  it('describes inner errors in the same form as the outer error', () => {
    const innermost = new ServiceError('permissionNotFound');
    const first = new ServiceError('repeatedParameter', { parameter: '$top' }, { innerErrors: [innermost] });
    const second = new ServiceError('skipWithPageKey');
    const error = new ServiceError('malformedRequest', {}, { innerErrors: [first, second] });
    expect(describeError(error, 'deu').innerErrors).to.deep.equal([
      describeError(first, 'deu'),
      describeError(second, 'deu'),
    ]);
    expect(describeError(error, 'deu').innerErrors[0]?.innerErrors[0]?.translatedMessage).to.equal(
      'Berechtigung nicht gefunden',
    );
  });

  it('does not reveal the cause', () => {
    const cause = new Error('relation "token" at /srv/secret');
    expect(
      JSON.stringify(describeError(new ServiceError('internalError', {}, { cause }), 'eng')),
    ).not.to.match(/relation|secret|stack/);
  });
});

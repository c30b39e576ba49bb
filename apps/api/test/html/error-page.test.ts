import type { ErrorDescription } from '@takt/error-catalogue';
import { expect } from 'chai';
import { htmlWriter } from '../../src/representations/html/html-writer.js';
import type { WritingContext } from '../../src/representations/page.js';
import { contextOf, filterError, tokenError } from './sample-pages.js';

const written = (error: ErrorDescription, overrides: Partial<WritingContext> = {}) =>
  [...htmlWriter.error(error, contextOf(overrides))].join('');

describe('The HTML page of an error', () => {
  it('leads with the message in the language of the reader and adds the English one', () => {
    const html = written(tokenError, { language: 'deu' });
    expect(html).to.include('<html lang="de">').and.to.include('<h1>Ungültiges $access_token');
    expect(html).to.include('<span lang="en">Invalid $access_token');
    expect(written(filterError)).not.to.include('In English');
  });

  it('shows status, parameters, request and inner errors, and leads to the error message', () => {
    const html = written(filterError, { parameters: [{ name: '$access_token', value: 't' }] });
    expect(html)
      .to.include('Error 400')
      .and.to.include('BadRequest')
      .and.to.include('<code>&lt;x&gt;</code>');
    expect(html).to.include('0199c1d2-5a3e-7f00-8000-6d1f0a2b3c4d').and.to.include('<code>inner</code>');
    expect(html).to.include('href="https://takt.example/api/system/error-messages/100210?$access_token=t"');
  });

  it('asks for a token where the token is at fault, and goes back to the same address with it', () => {
    const html = written(tokenError, {
      parameters: [
        { name: '$top', value: '5' },
        { name: '$accessToken', value: 'wrong' },
      ],
    });
    const [, form = ''] = /<form class="token"(.*?)<\/form>/s.exec(html) ?? [];
    expect(form).to.include(
      'action="https://takt.example/api/product/structure-versions/aggregated-production-times"',
    );
    expect(form).to.include('<input type="hidden" name="$top" value="5">');
    expect(form).to.include('name="$accessToken" required autocomplete="off"');
    expect(form).not.to.include('wrong');
    expect(written(filterError)).not.to.include('class="token"');
  });
});

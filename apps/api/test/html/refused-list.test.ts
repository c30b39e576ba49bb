import { expect } from 'chai';
import { writeRefusedList } from '../../src/pages/list-page.js';
import { contextOf, productionTimesPage } from './sample-pages.js';

const { resource } = productionTimesPage(0);

function refusedAt(text: string, position: number | undefined, parameter = '$filter'): string {
  const context = contextOf({ parameters: [{ name: parameter, value: text }] });
  const message = 'This <cannot> be read.';
  return [...writeRefusedList(resource, { parameter, text, position, message }, context)].join('');
}

describe('The list page after a wrong parameter', () => {
  it('keeps the wrong filter, and highlights the place of the error', () => {
    const html = refusedAt("Revision eq '\u{1F600}' and RunTme gt 1", 21);
    expect(html).to.include('value="Revision eq &#39;\u{1F600}&#39; and RunTme gt 1"');
    expect(html).to.include('&#39;\u{1F600}&#39; and <mark title="Here">RunTme</mark> gt 1</code>');
    expect(html).to.include('This &lt;cannot&gt; be read.');
    expect(html)
      .to.include('aria-invalid="true" aria-describedby="refused"')
      .and.to.include('<details class="help" open=""');
  });

  it('highlights the end of an incomplete filter', () => {
    expect(refusedAt('RunTime gt', 11)).to.include('RunTime gt<mark title="Here">\u00A0</mark></code>');
  });

  it('shows only the message for an error without a known position', () => {
    const html = refusedAt('x', undefined, '$orderby');
    expect(html).to.include('role="alert"').and.not.to.include('<mark');
  });
});

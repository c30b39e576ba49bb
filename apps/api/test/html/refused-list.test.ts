import { expect } from 'chai';
import { writeRefusedList } from '../../src/pages/list-page.js';
import { contextOf, productionTimesPage } from './sample-pages.js';

const { resource } = productionTimesPage(0);

function refusedAt(text: string, position: number | undefined, parameter = '$filter'): string {
  const context = contextOf({ parameters: [{ name: parameter, value: text }] });
  const message = 'This <cannot> be read.';
  return [...writeRefusedList(resource, { parameter, text, position, message }, context)].join('');
}

describe('The list page for a parameter that cannot be parsed', () => {
  it('keeps the input, and marks the position of the error in it', () => {
    const html = refusedAt("Revision eq '\u{1F600}' and RunTme gt 1", 21);
    expect(html).to.include('value="Revision eq &#39;\u{1F600}&#39; and RunTme gt 1"');
    expect(html).to.include('&#39;\u{1F600}&#39; and <mark title="Here">RunTme</mark> gt 1</code>');
    expect(html).to.include('This &lt;cannot&gt; be read.');
    expect(html)
      .to.include('aria-invalid="true" aria-describedby="refused"')
      .and.to.include('<details class="help" open=""');
  });

  it('marks the end of the input if the input is incomplete', () => {
    expect(refusedAt('RunTime gt', 11)).to.include('RunTime gt<mark title="Here">\u00A0</mark></code>');
  });

  it('shows the message without a mark if the position is unknown or another parameter than the filter is wrong', () => {
    const html = refusedAt('x', undefined, '$orderby');
    expect(html).to.include('role="alert"').and.not.to.include('<mark');
  });
});

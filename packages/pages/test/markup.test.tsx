import { expect } from 'chai';
import { ready, render } from '../src/index.js';

describe('Markup', () => {
  it('escapes the text of elements and attributes, but not HTML', () => {
    const text = `<b>"Kari" & 'Ola'</b>`;
    const escaped = '&lt;b&gt;&quot;Kari&quot; &amp; &#39;Ola&#39;&lt;/b&gt;';
    expect(render(<p title={text}>{text}</p>)).to.equal(`<p title="${escaped}">${escaped}</p>`);
    expect(render(<p>{ready('<b>1</b>')}</p>)).to.equal('<p><b>1</b></p>');
  });

  it('omits missing values', () => {
    expect(
      render(
        <p title={undefined}>
          {null}
          {false}
          {undefined}
        </p>,
      ),
    ).to.equal('<p></p>');
  });

  it('replaces only the characters that HTML cannot represent', () => {
    expect(render(<p>{'\r\n\t\0\uFFFE\uD83Dx \u{1F600}'}</p>)).to.equal(
      '<p>&#13;\n\t\uFFFD\uFFFD\uFFFDx \u{1F600}</p>',
    );
  });
});

import { filterFieldsOf, leavesOf, newestOf, resourceFamilies, restrictFamily } from '@takt/resources';
import { expect } from 'chai';
import { htmlWriter } from '../../src/representations/html/html-writer.js';
import type { ListPage, OutlineNode, WritingContext } from '../../src/representations/page.js';
import { contextOf, emptyPage, errorMessagesPage, pagingOf, productionTimesPage } from './sample-pages.js';

const written = (page: ListPage, overrides: Partial<WritingContext> = {}) =>
  [...htmlWriter.list(page, contextOf(overrides))].join('');

const parameters = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }));

describe('The HTML page of a list', () => {
  it('holds every figure with all its digits', () => {
    const page = productionTimesPage(80);
    const html = written(page);
    for (const value of page.rows.flat()) {
      if (typeof value === 'number' && !Number.isInteger(value)) {
        expect(html).to.include(`<data value="${value}">`);
      }
    }
  });

  it('shows figures as people of the language write them', () => {
    const page = productionTimesPage(1);
    expect(written(page)).to.include('<data value="2.1408">2.14</data>');
    expect(written(page, { language: 'deu' })).to.include('<data value="2.1408">2,14</data>');
    expect(written(page, { language: 'deu' })).to.include('<data value="2.1408">2,1408</data>');
  });

  it('says how far an average is from its plan', () => {
    expect(written(productionTimesPage(5))).to.match(/<span class="note over">\+25&nbsp;%<\/span>/);
  });

  it('says nothing of the plan to whom it is hidden, and draws the rest', () => {
    const { path } = productionTimesPage(1).resource;
    const [family] = resourceFamilies.filter((one) => one.path === path);
    const resource = family && newestOf(restrictFamily(family, []));
    if (resource?.kind !== 'list') throw new Error('production times are a list');
    const shown = new Set(leavesOf(resource.fields).map(({ node }) => node));
    const page = productionTimesPage(5, (node) => node.kind === 'group' || shown.has(node));
    const ofPlan =
      /class="plan"|>Planned|against plan|<code>(Run|Setup|Cleanup)Time|gt RunTime|class="note (over|under)"/;
    const html = written({ ...page, resource });
    expect(html).not.to.match(ofPlan);
    expect(written(productionTimesPage(5))).to.match(ofPlan);
    for (const drawn of ['class="legend"', 'class="range"', 'class="dev"', 'Run time', 'Shortest']) {
      expect(html).to.include(drawn);
    }
  });

  it('names every field that can be asked for, and of which thing a name or a status is', () => {
    const page = productionTimesPage(1);
    const html = written(page);
    const [help = ''] = /<details class="help">.*?<\/details>/s.exec(html) ?? [];
    const names = [...help.matchAll(/<th scope="row"><code>(\w+)<\/code>/g)].map(([, name]) => name);
    const known = Array.from(
      filterFieldsOf(page.resource).values(),
      ({ queryName, filterName }) => queryName ?? filterName,
    );
    expect(names).to.have.members(known);
    expect(help).to.include('<code>ProductStatus</code></th><td>integer</td><td>Product: Status<');
  });

  it('draws nothing and compares nothing that is not served', () => {
    const page = productionTimesPage(3, ({ name }) => name === 'Name' || name === 'ShortestRunTime');
    const [html = ''] = /<table class="list.*?<\/table>/s.exec(written(page)) ?? [];
    expect(html).not.to.include('Setup time');
    expect(html).not.to.include('class="avg"');
    expect(html).to.include('Shortest</a>');
    expect(html).not.to.include('Longest</a>');
  });

  it('names a key by its description, with the key beside it', () => {
    expect(written(productionTimesPage(1))).to.include(
      '<data value="4">active <span class="key">(4)</span></data>',
    );
    expect(written(productionTimesPage(2))).to.include('<dd>KA</dd>');
  });

  it('orders by a heading, and the other way round when it is chosen again', () => {
    const html = written(productionTimesPage(2), {
      parameters: parameters(
        ['$ORDERBY', 'averageruntime'],
        ['$pageKey', 'k'],
        ['$skip', '20'],
        ['$top', '2'],
      ),
    });
    expect(html).to.include('aria-sort="ascending"');
    expect(html).to.include('?$ORDERBY=AverageRunTime%20desc&amp;$top=2"');
    expect(html).to.include('?$ORDERBY=RunTime%20asc&amp;$top=2"');
    const reversed = written(productionTimesPage(2), {
      parameters: parameters(['$orderby', 'RunTime DESC,Name']),
    });
    expect(reversed).to.include('aria-sort="descending"').and.to.include('?$orderby=RunTime%20asc"');
  });

  it('marks the order that a list has by itself', () => {
    expect(written(errorMessagesPage())).to.match(/aria-sort="ascending"><a class="sort ascending"/);
    expect(written(productionTimesPage(2))).not.to.include('aria-sort');
  });

  it('leads to neighbouring pages with the token and everything else that stood in the address', () => {
    const html = written(productionTimesPage(3), {
      parameters: parameters(
        ['$Format', 'html'],
        ['$accessToken', 'se/cret'],
        ['$PAGEKEY', 'old'],
        ['$skip', '9'],
      ),
    });
    const base = 'https://takt.example/api/product/structure-versions/aggregated-production-times';
    const query = (key: string) => `?$Format=html&amp;$accessToken=se%2Fcret&amp;$PAGEKEY=${key}`;
    for (const key of ['first-key', 'previous-key', 'next-key', 'last-key']) {
      expect(html).to.include(`href="${base}${query(key)}"`);
    }
    expect(html).to.include('31&ndash;33 of 274');
  });

  it('offers no page that is not there', () => {
    const html = written({
      ...errorMessagesPage(),
      paging: pagingOf({ previous: null, next: null, size: undefined }),
    });
    for (const label of ['First', 'Previous', 'Next', 'Last'])
      expect(html).to.include(`<li><span>${label}</span></li>`);
    expect(written(emptyPage())).to.include('Nothing found.');
  });

  it('asks for a filter and keeps all other parameters but the place in the list', () => {
    const html = written(errorMessagesPage(), {
      path: '/system/error-messages',
      parameters: parameters(
        ['$filter', `Message eq '"<b>'`],
        ['$top', '40'],
        ['$pageKey', 'k'],
        ['$lang', 't&"'],
        ['SEARCH', 'word'],
      ),
    });
    const [, form = ''] = /<form class="filter"(.*?)<\/form>/s.exec(html) ?? [];
    expect(form).to.include('name="$filter" value="Message eq &#39;&quot;&lt;b&gt;&#39;"');
    expect(form).to.include('<input type="hidden" name="$lang" value="t&amp;&quot;">');
    expect(form).to.include('name="SEARCH" value="word"');
    expect(form).not.to.include('$pageKey');
    expect(form).not.to.include('type="hidden" name="$top"');
    expect(form).to.include('<option selected>30</option>');
  });

  it('links the key of an item to its own page, without the filter', () => {
    const html = written(errorMessagesPage(1), {
      parameters: parameters(['$filter', 'Status eq 4'], ['$lang', 'eng']),
    });
    expect(html).to.include('href="https://takt.example/api/system/error-messages/100200?$lang=eng"');
  });

  it('leads to other pages for the same company, in the same form, language and wording, by any name', () => {
    const html = written(errorMessagesPage(1), {
      parameters: parameters(
        ['$format', 'html'],
        ['$LANG', 'deu'],
        ['$db', 'south'],
        ['$showDomainValues', 'true'],
        ['$top', '5'],
        ['search', 'x'],
        ['$pageKey', 'k'],
      ),
    });
    const query = '?$format=html&amp;$LANG=deu&amp;$db=south&amp;$showDomainValues=true';
    expect(html).to.include(`href="https://takt.example/api/system/error-messages/100200${query}"`);
  });

  it('shows the address of what is not served as text, and a link that leads somewhere as a link', () => {
    const unlinked = written(productionTimesPage(1));
    expect(unlinked).to.include('<dd>/product/products/100200</dd>');
    expect(unlinked).not.to.include('href="https://takt.example/api/product/products');
    const page = productionTimesPage(1);
    const linked = (node: OutlineNode): OutlineNode => {
      if (node.kind === 'group') return { ...node, children: node.children.map(linked) };
      if (node.kind !== 'field' || node.field.name !== 'ProductLink') return node;
      return { ...node, field: { ...node.field, linkPath: '/system/error-messages/{}' } };
    };
    const html = written({ ...page, outline: page.outline.map(linked) });
    expect(html).to.include(
      '<a href="https://takt.example/api/system/error-messages/100200?$format=html">/system/error-messages/100200</a>',
    );
  });

  it('leads to no other host, whatever the path looks like', () => {
    expect(written(emptyPage(), { path: '@evil.example' })).to.include(
      'action="https://takt.example/api/@evil.example"',
    );
  });
});

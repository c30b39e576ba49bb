import {
  browsedField,
  filterFieldsOf,
  leavesOf,
  newestOf,
  resourceFamilies,
  restrictFamily,
} from '@takt/catalogue/resources';
import { expect } from 'chai';
import { htmlWriter } from '../../src/pages/index.js';
import { numberReader, sectionsOf, shownFieldsOf } from '../../src/pages/sections.js';
import { planColumns } from '../../src/plan/outline.js';
import type { ListPage, WritingContext } from '../../src/representations/writer.js';
import { representationHeaders } from '../../src/respond/write-answer.js';
import { productionTimes } from '../support/resources.js';
import {
  contextOf,
  emptyPage,
  errorMessagesPage,
  hoursByMonthPage,
  monthsPage,
  pagingOf,
  planSuggestionsPage,
  productionTimesPage,
  productsByHoursPage,
} from './sample-pages.js';

const written = (page: ListPage, overrides: Partial<WritingContext> = {}) =>
  [...htmlWriter.list(page, contextOf(overrides))].join('');

const inView = (name: string) => ({ parameters: [{ name: 'view', value: name }] });

const parameters = (...pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([name, value]) => ({ name, value }));

describe('The HTML page of a list', () => {
  it('formats numbers for the language of the reader', () => {
    const page = productionTimesPage(1);
    expect(written(page)).to.include('data-l="Planned" data-g="Run time (h)">2.14</td>');
    expect(written(page, { language: 'deu' })).to.include('data-l="Geplant" data-g="Laufzeit (h)">2,14</td>');
  });
  it('shows times without a view in the chosen unit, totals in hours, and counts with separators', () => {
    const sections = (page: ListPage) => shownFieldsOf(sectionsOf(page.outline));
    const withValues = (page: ListPage, values: Readonly<Record<string, number>>): ListPage => {
      const shown = [...sections(page).values()].filter(({ field }) => field.name in values);
      const row = [...(page.rows[0] ?? [])];
      for (const { index, field } of shown) row[index] = values[field.name] ?? null;
      return { ...page, rows: [row] };
    };
    const times = {
      AverageRunTime: 1.25,
      ShortestRunTime: 0.05,
      NumberOfCompletedProductionWorkOrders: 12_345,
    };
    const months = withValues(monthsPage(1), times);
    const inHours = written(months);
    expect(inHours).to.include('data-l="Average run time (h)" data-g="Processing">1.250</td>');
    expect(inHours).to.include('<span class="unit">\u00A0h</span>');
    expect(inHours).to.include('data-l="Completed operations">12,345</td>');
    const inMinutes = written(months, { timeUnit: 'min' });
    expect(inMinutes).to.include('data-l="Average run time (min)" data-g="Processing">75.00</td>');
    expect(inMinutes).to.match(/aria-current="true">min</);
    const totals = withValues(hoursByMonthPage(), { PlannedHours: 12_345.678, HoursOverPlan: -0.5 });
    const shownTotals = written(totals, { timeUnit: 'min' });
    expect(shownTotals).to.include('data-l="Planned hours (h)">12,345.68</td>');
    expect(shownTotals).to.include('>&minus;0.50</td>').and.not.to.include('aria-current="true">min<');
  });
  it('links to its other formats as alternates, so that programs find them', () => {
    const links = [...written(productionTimesPage(1)).matchAll(/<a rel="alternate" href="([^"]*)">(\w+)</g)];
    expect(links.map(([, , format]) => format)).to.deep.equal(['JSON', 'XML']);
    for (const [, address, format = ''] of links) {
      expect(address).to.include(`$format=${format.toLowerCase()}`);
    }
  });
  it('offers all months, and the usual periods up to this month', () => {
    const at = (readAt: string) => {
      const html = written(productionTimesPage(1), { readAt: new Date(readAt) });
      const [form = ''] = /<details class="help period">.*?<\/ul>/s.exec(html) ?? [];
      return [...form.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => {
        const query = new URL(href.replaceAll('&amp;', '&'), 'http://localhost').searchParams;
        return `${query.get('from') ?? ''} ${query.get('to') ?? ''}`.trim();
      });
    };
    expect(at('2026-02-10T12:00:00Z')).to.deep.equal([
      ...['', '2026-02 2026-02', '2026-01 2026-01'],
      ...['2026-01 2026-02', '2025-10 2025-12'],
      ...['2025-03 2026-02', '2026-01 2026-02'],
    ]);
    expect(at('2026-12-10T12:00:00Z').at(-1)).to.equal('2026-01 2026-12');
  });
  it('colours a difference from the plan only if it is sure and at least a tenth', () => {
    const html = written(productionTimesPage(30));
    const cells = html.matchAll(
      /<td(?: class="(\w+)")? data-l="Over plan">(?:<svg.*?<\/svg>)?(\+|&minus;)([\d.]+)&nbsp;%/g,
    );
    const marked = Array.from(cells, ([, mark = '', sign, percent]) => {
      // The shown percents decide: 9.6 % is shown as 10 %.
      if (Number(percent) < 10) expect(mark).to.equal('');
      if (Number(percent) >= 10 && mark !== 'unsure') expect(mark).to.equal(sign === '+' ? 'over' : 'under');
      return mark;
    });
    expect(marked).to.include.members(['over', 'under', 'unsure', '']);
  });
  it('marks hours over plan of any size, if the difference is sure and if it is not', () => {
    const rows = written(productionTimesPage(30), inView('run')).split('<tr').slice(2);
    const marksOf = (row: string) => {
      const [, percent = ''] = /data-l="Over plan">.*?(?:\+|&minus;)([\d.]+)&nbsp;%/s.exec(row) ?? [];
      const [, mark] = /<td(?: class="(\w+)")? data-l="Hours over plan"/.exec(row) ?? [];
      return Number(percent) > 0 && Number(percent) < 10 ? [mark] : [];
    };
    const ofSmall = rows.flatMap(marksOf);
    expect(ofSmall).to.not.be.empty.and.not.include(undefined);
  });
  it('offers the descriptions of all values of domains to the filter', () => {
    const [list = ''] =
      /<datalist id="domain-values">.*?<\/datalist>/s.exec(
        written(productionTimesPage(1), { language: 'deu' }),
      ) ?? [];
    expect(list).to.include('<option value="sicher über dem Plan">').and.include('<option value="aktiv">');
  });
  it('has the same entity tag at any time, as long as its data are the same', () => {
    const tagAt = (time: string, rows: number) => {
      const page = Buffer.from(written(productionTimesPage(rows), { readAt: new Date(time) }));
      return representationHeaders(page, 'html', contextOf())['ETag'];
    };
    const tag = tagAt('2026-02-10T12:00:00Z', 2);
    expect(tagAt('2026-02-10T12:07:00Z', 2)).to.equal(tag);
    expect(tagAt('2026-02-10T12:00:00Z', 3)).not.to.equal(tag);
  });
  it('draws the interval of an average as a bar beside the plan', () => {
    // The average is 25 % over plan and its interval reaches 5 % to both sides, so from 19 % to 31 % over plan.
    expect(written(productionTimesPage(1))).to.match(
      /<svg class="interval-bar"[^>]*><path d="M29 6h5"\/><\/svg>\+25/,
    );
  });
  it('shows the sum of hours of all rows and the share of the first ten rows in a sentence', () => {
    const { outline } = planColumns(productionTimes.totals?.children ?? [], {
      ...{ selection: undefined, expansion: new Set<string>(), expandsAll: true, withDescriptions: false },
    });
    const byHours = parameters(['$filter', 'HoursOverPlan gt 0'], ['$orderby', 'HoursOverPlan desc']);
    const sentence = (row: readonly (number | null)[], count: number, position = 1, order = byHours) => {
      const page = productionTimesPage(count);
      const html = written(
        { ...page, paging: { ...page.paging, position }, totals: { outline, row } },
        { parameters: order },
      );
      return /<p class="summary">([^<]*)</.exec(html)?.[1];
    };
    const field = browsedField(productionTimes, 'HoursOverPlan');
    const { rows, outline: shown } = productionTimesPage(20);
    const read = numberReader(field, shownFieldsOf(sectionsOf(shown)));
    const ten = rows.slice(0, 10).reduce((sum, row) => sum + (read(row) ?? 0), 0);
    const over = [1_600, 12_987, 1, 1, 4 * ten];
    const told = `${Math.round(4 * ten).toLocaleString('en')} h more than planned in 1,600 structure versions`;
    expect(sentence(over, 20)).to.equal(`${told}; the first ten are 25\u00A0% of it.`);
    expect(sentence(over, 20, 21)).to.equal(`${told}.`);
    expect(sentence(over, 10)).to.equal(`${told}; the first ten are 25\u00A0% of it.`);
    expect(sentence(over, 9)).to.equal(`${told}.`);
    expect(sentence([10, 12_987, 1, 1, 4 * ten], 10)).not.to.include('first ten');
    expect(sentence(over, 20, 1, parameters(['$orderby', 'HoursOverPlan asc']))).to.equal(`${told}.`);
    expect(sentence([2, 3, 10, 5, -5.4], 20)).to.equal('5 h less than planned in 2 structure versions.');
    expect(sentence([2, 1_234, null, null, null], 2)).to.equal(
      '1,234 completed operations of 2 structure versions.',
    );
    // The sentence for a single row contains no figures.
    expect(sentence([1, 3, 10, 15, 5], 1)).not.to.match(/\d/);
  });

  it('shows everything except plans to readers without access to plans', () => {
    const { path } = productionTimesPage(1).resource;
    const [family] = resourceFamilies.filter((one) => one.path === path);
    const resource = family && newestOf(restrictFamily(family, []));
    if (resource?.kind !== 'list') throw new Error('production times are a list');
    const shown = new Set(leavesOf(resource.fields).map(({ node }) => node));
    const page = productionTimesPage(5, (node) => node.kind === 'group' || shown.has(node));
    const ofPlan =
      /class="plan"|data-l="Planned"|<code>(Run|Setup|Cleanup)Time|gt RunTime|OverPlan|class="over/;
    const html = written(
      { ...page, resource },
      { shownTo: (one) => (one === family ? resource : undefined) },
    );
    expect(html).not.to.match(ofPlan);
    expect(written(productionTimesPage(5))).to.match(ofPlan);
    expect(html).to.include('Run time').and.to.include('>All</a>');
    expect(html).not.to.include('Over plan');
  });
  it('offers every field of the filter, and adds the group to ambiguous names', () => {
    const page = productionTimesPage(1);
    const optionsOf = (html: string) => /<select name="conditionField">.*?<\/select>/s.exec(html)?.[0] ?? '';
    const options = optionsOf(written(page));
    const known = Array.from(
      filterFieldsOf(page.resource).values(),
      ({ queryName, filterName }) => queryName ?? filterName,
    );
    expect([...options.matchAll(/<option value="(\w+)"/g)].map(([, name]) => name)).to.have.members(known);
    expect(options).to.include('<option value="ProductStatus">Product: Status<');
    expect(options).to.include('<option value="RunTime">Run time (h)<');
    const inGerman = optionsOf(written(page, { language: 'deu' }));
    expect(inGerman).to.include('>Produkt: Status<').and.not.to.include('Product: Status');
  });

  it('offers the verdict about the kind of time that the view shows, and hours over plan of all kinds elsewhere', () => {
    const page = productionTimesPage(3);
    const formOf = (view: string) =>
      /<form class="quick".*?<\/form>/s
        .exec(written(page, inView(view)))?.[0]
        .match(/name="\w*(?:Verdict|HoursOverPlan)"/g);
    expect(formOf('run')).to.deep.equal(['name="RunTimeVerdict"']);
    expect(formOf('setup')).to.deep.equal(['name="SetupTimeVerdict"']);
    expect(formOf('all')).to.deep.equal(['name="HoursOverPlan"']);
    // A condition without a field in the form can be removed.
    const filtered = { parameters: parameters(['view', 'run'], ['$filter', 'HoursOverPlan gt 0']) };
    expect(written(page, filtered)).to.match(/<li class="chip"><span>Over plan</);
  });

  it('leaves out hidden columns, and offers to show them again', () => {
    const html = written(productionTimesPage(3), {
      parameters: parameters(['hide', 'SetupTime,HoursOverPlan'], ['view', 'all']),
    });
    const [table = ''] = /<table class="list.*?<\/table>/s.exec(html) ?? [];
    expect(table).to.include('Run time').and.include('Cleanup time').and.not.include('Setup time');
    expect(table).not.to.include('Hours over plan');
    const boxes = [...html.matchAll(/name="show" value="(\w+)"( checked)?/g)];
    expect(boxes.map(([, name, checked]) => [name, checked !== undefined])).to.deep.equal([
      ['NumberOfCompletedProductionWorkOrders', true],
      ['HoursOverPlan', false],
      ['RunTime', true],
      ['SetupTime', false],
      ['CleanupTime', true],
    ]);
    expect(html).to.match(/<a href="[^"]*\?view=all">All columns</);
    expect(written(productionTimesPage(3), inView('all'))).not.to.include('All columns');
  });

  it('draws and compares only fields of the answer', () => {
    const page = productionTimesPage(3, ({ name }) => name === 'Name' || name === 'ShortestRunTime');
    const [html = ''] = /<table class="list.*?<\/table>/s.exec(written(page, inView('run'))) ?? [];
    expect(html).not.to.include('Setup time');
    expect(html).not.to.include('<svg');
    expect(html).to.include('Shortest</a>');
    expect(html).not.to.include('Longest</a>');
  });

  it('shows all fields of one kind of time, with a chart and an explanation of deviation', () => {
    const html = written(productionTimesPage(3), inView('setup'));
    const headings = [...html.matchAll(/<th scope="col"[^>]*><a [^>]*>([^<]*)</g)].map(([, text]) => text);
    expect(headings).to.deep.equal([
      ...['Product', 'Made', 'Planned', 'Average', 'Over plan', 'Hours over plan'],
      ...['Shortest', 'Longest', 'Deviation'],
    ]);
    expect(html.match(/<td[^>]*><svg class="draw"/g)).to.have.length(3);
    expect(html).to.include('<b>Deviation</b>: how far a single time typically is from the average');
  });

  it('links the name of a product to its structure versions, and explains its hours', () => {
    const parameters = [
      { name: 'open', value: '10002' },
      { name: 'search', value: 'a&b' },
    ];
    const html = written(productsByHoursPage(2), { parameters });
    const [, list = ''] = html.split('<table class="list');
    const [, row = ''] = list.split('<tr><th scope="row">');
    expect(row).to.match(
      /^<a class="open" id="row-10001" aria-expanded="false" href="\?search=a%26b&amp;open=10001#row-10001">[^<]+<\/a>/,
    );
    expect(row).to.match(/<a href="[^"]*\/product\/products\/10001">10001<\/a>/);
    expect(list).to.include('id="row-10002" aria-expanded="true" href="?search=a%26b#row-10002"');
    expect(html)
      .to.include('Hours of all completed operations')
      .and.not.to.include('hours for one operation');
  });

  it('shows a plan suggestion in words in one row, with a link to the structure version', () => {
    const page = planSuggestionsPage(2);
    const [, list = ''] = written(page, { language: 'deu' }).split('<table class="list');
    const [, row = ''] = list.split('<tr><th scope="row">');
    const cells = [...row.matchAll(/<td[^>]* data-l="([^"]*)">([^<]*)</g)].map(([, ...cell]) => cell);
    expect(cells).to.deep.equal([
      ...[
        ['Zeit', 'Laufzeit'],
        ['Geplant (h)', '0,50'],
        ['Vorschlag (h)', '0,63'],
        ['Urteil', 'sicher über dem Plan'],
        ['Über Plan', '+25&nbsp;%'],
      ],
      ...[
        ['Arbeitsgänge', '20'],
        ['Stunden über Plan', '+41.250,75'],
        ['Stunden im Jahr', '+13.750,25'],
      ],
    ]);
    expect(row).to.include('/product/structure-versions/100200/aggregated-production-times?');
    expect(row).not.to.include('100200-run');
  });

  it('shows an empty cell, not zero, for a missing value', () => {
    expect(written(productionTimesPage(6))).to.match(/<td data-l="Average"><\/td>/);
  });
  it('shows the description of a key before the key', () => {
    expect(written(errorMessagesPage(1))).to.include('active <span class="key">(4)</span>');
  });
  it('sorts figures in descending order after the first click, and in ascending order after the second', () => {
    const html = written(productionTimesPage(2), {
      parameters: parameters(
        ['$ORDERBY', 'averageruntime desc'],
        ['$pageKey', 'k'],
        ['$skip', '20'],
        ['$top', '2'],
      ),
    });
    expect(html).to.include('aria-sort="descending"');
    expect(html).to.include('?$ORDERBY=RunTime%20desc&amp;$top=2"');
    expect(html).to.include('?$ORDERBY=ProductName%20asc&amp;$top=2"');
  });

  it('hides rows without a value at the start of the order, and links to the same list with these rows', () => {
    const ascending =
      '?$orderby=DeviationSetupTime%20asc&amp;$filter=DeviationSetupTime%20ne%20null&amp;view=setup"';
    expect(
      written(productionTimesPage(2), {
        parameters: parameters(['$orderby', 'DeviationSetupTime desc'], ['view', 'setup']),
      }),
    ).to.include(
      '$orderby=DeviationSetupTime%20asc&amp;view=setup&amp;$filter=DeviationSetupTime%20ne%20null"',
    );
    const html = written(productionTimesPage(2), {
      parameters: parameters(
        ['$orderby', 'DeviationSetupTime asc'],
        ['$filter', 'DeviationSetupTime ne null'],
        ['view', 'setup'],
      ),
    });
    expect(html).to.include('With a value: Deviation of setup time');
    expect(html).to.include(
      'href="https://takt.example/api/product/structure-versions/aggregated-production-times?$orderby=LongestSetupTime%20desc&amp;view=setup"',
    );
    // No link on the page has this ascending order, except the links to other periods. Those links keep the order.
    expect(html.replace(/<details class="help period">.*?<\/details>/s, '')).not.to.include(ascending);
  });
  it('marks the default order of the list', () => {
    expect(written(errorMessagesPage())).to.match(/aria-sort="ascending"><a class="sort ascending"/);
  });
  it('links to the other pages with the token and all other parameters of the address', () => {
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
    expect(html).to.include('Page 2 of 10 · 31&ndash;33 of 274');
  });

  it('says that there are more rows than were counted, and then states no number of pages', () => {
    const page = { ...productionTimesPage(3), paging: pagingOf({ size: undefined, moreThan: 10_000 }) };
    expect(written(page)).to.include('<p>31&ndash;33 of more than 10,000</p>');
    expect(written(page, { language: 'deu' })).to.include('<p>31&ndash;33 von mehr als 10.000</p>');
  });

  it('has no link to a page that does not exist', () => {
    const first = written({ ...errorMessagesPage(), paging: pagingOf({ previous: null, size: undefined }) });
    for (const label of ['First', 'Previous']) expect(first).to.include(`<li><span>${label}</span></li>`);
    for (const label of ['Next', 'Last'])
      expect(first).to.match(new RegExp(`<li><a [^>]*>${label}</a></li>`));
    const only = {
      ...errorMessagesPage(),
      paging: pagingOf({ previous: null, next: null, size: undefined }),
    };
    expect(written(only)).not.to.match(/>(?:First|Previous|Next|Last)</);
    expect(written(emptyPage())).to.include('Nothing found.');
  });

  it('has a filter form that keeps all parameters of the address except the page key', () => {
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
    for (const hidden of [
      'name="$lang" value="t&amp;&quot;"',
      'name="$top" value="40"',
      'name="SEARCH" value="word"',
    ]) {
      expect(form).to.include(`<input type="hidden" ${hidden}/>`);
    }
    expect(form).not.to.include('$pageKey');
    expect(html).to.include('<input type="search" name="SEARCH" value="word"/>');
  });

  it('sets the form fields for common conditions from the filter, and keeps all other conditions', () => {
    const html = written(productionTimesPage(2), {
      parameters: parameters([
        '$filter',
        "HoursOverPlan gt 0 and NumberOfCompletedProductionWorkOrders ge 20 and contains(Revision, 'A and B')",
      ]),
    });
    const [, form = ''] = /<form class="quick"(.*?)<\/form>/s.exec(html) ?? [];
    expect(form).to.include('type="checkbox" name="HoursOverPlan" value="0" checked=""');
    expect(form).to.include('name="NumberOfCompletedProductionWorkOrders" value="20"');
    expect(form).to.include('<option value="4">active</option>');
    expect(form).to.include(
      '<input type="hidden" name="$filter" value="contains(Revision, &#39;A and B&#39;)"/>',
    );
  });

  it('lists each condition without a form field, with a link that removes the condition', () => {
    const html = written(productionTimesPage(2), {
      parameters: parameters(
        ['$filter', "HoursOverPlan gt 0 and ProductName eq 'O''Ring and Bolt'"],
        ['$orderby', 'HoursOverPlan desc'],
      ),
    });
    const [chips = ''] = /<ul class="chips".*?<\/ul>/s.exec(html) ?? [];
    expect(chips).to.include('Product: O&#39;Ring and Bolt').and.not.to.include('Over plan');
    expect(chips).to.include('?$filter=HoursOverPlan%20gt%200&amp;$orderby=HoursOverPlan%20desc"');
    expect(chips).to.include('aria-label="Remove Product: O&#39;Ring and Bolt"');
  });

  it('drops the parameter $filter after its last condition', () => {
    const html = written(productionTimesPage(2), {
      parameters: parameters(['$filter', "contains(Revision,'A')"]),
    });
    expect(html).to.match(/aggregated-production-times" aria-label="Remove Revision contains A"/);
  });

  it('links each row to all rows of the same name and to the page of the structure version', () => {
    const html = written(productionTimesPage(1), { parameters: parameters(['$lang', 'eng']) });
    expect(html).to.include(
      '?$lang=eng&amp;$filter=ProductName+eq+&#39;Gear+Housing+125&#39;">Gear Housing 125</a>',
    );
    expect(html).to.include(
      '/product/structure-versions/100200/aggregated-production-times?$lang=eng">Turning · 1 A</a>',
    );
  });

  it('keeps the other conditions and parameters of the address when the reader changes the view', () => {
    const html = written(productionTimesPage(1), {
      parameters: parameters(
        ['$filter', 'HoursOverPlan gt 0 and NumberOfCompletedProductionWorkOrders ge 20'],
        ['$orderby', 'HoursOverPlan desc'],
      ),
    });
    const [tabs = ''] = /<nav class="tabs".*?<\/nav>/s.exec(html) ?? [];
    expect(tabs).to.include(
      '?$filter=NumberOfCompletedProductionWorkOrders%20ge%2020&amp;$orderby=SetupTimeHoursOverPlan%20desc&amp;view=setup"',
    );
    expect(tabs.match(/aria-current="page">([^<]*)/)?.[1]).to.equal('Over plan');
  });
  it('links to the page of each item without the filter in the address', () => {
    const html = written(errorMessagesPage(1), {
      parameters: parameters(['$filter', 'Status eq 4'], ['$lang', 'eng']),
    });
    expect(html).to.include('href="https://takt.example/api/system/error-messages/100200?$lang=eng"');
  });

  it('keeps company, format, language and descriptions in its links, for any spelling of the parameters', () => {
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

  it('sends its form to the same host for any path', () => {
    expect(written(emptyPage(), { path: '@evil.example' })).to.include(
      'action="https://takt.example/api/@evil.example"',
    );
  });

  it('has no character above U+00FF in English, because one such character would double the memory of the text', () => {
    for (const view of ['over-plan', 'run']) {
      const html = written(productionTimesPage(80), {
        parameters: parameters(['view', view], ['$orderby', 'RunTimeHoursOverPlan desc']),
      });
      expect(html.match(/[^\0-\xFF]/g), view).to.equal(null);
    }
  });
});

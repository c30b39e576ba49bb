import { createUser } from '@takt/access';
import { needsProgram, openBrowser, opened } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { storeDemoData } from '../support/demo-data.js';
import { LIST } from '../support/production-times.js';
import { openTestApi } from '../support/test-api.js';

const PASSWORD = 'correct horse battery';
const COMPANIES = ['TEM-NO', 'TEM-SE'] as const;
type Code = (typeof COMPANIES)[number];

/**
 * Companies of each person, with the default company first. The default company of one person is the second company of
 * the other person.
 */
const PEOPLE = {
  planner: ['TEM-NO', 'TEM-SE'],
  operator: ['TEM-SE', 'TEM-NO'],
} as const;
type Role = keyof typeof PEOPLE;
const roles = ['planner', 'operator'] as const;

const DEMO = { events: 2_000, structureVersions: 60, companies: COMPANIES };
const HTML = { accept: 'text/html' };
/** Maximum number of addresses to follow among addresses that differ only in identifiers and parameter values. */
const OF_ONE_SHAPE = 2;
const MOST_REDIRECTS = 3;

/** Pages that no other page links to, with the expected status of each. */
const ELSEWHERE: readonly (readonly [path: string, status: number])[] = [
  ['/product/products/999999999', 404],
  ['/product/structure-versions/x', 400],
  ['/product/products?$filter=Colour%20eq%201', 400],
  [`${LIST}?$lang=deu&search=nothing-is-called-so`, 200],
  ['/metadata?uri=/product/products&$expand=ApplicableDomainValues', 200],
];

const FORMS_OF_GET = /<form [^>]*method="get".*?<\/form>/gs;

/**
 * Returns the address of each link, and of each form that is sent by POST. Links to other companies are left out, and
 * those to the pages of operators, which show all companies.
 */
const links = (html: string) =>
  [
    ...html
      .replace(/<form [^>]*method="get"[^>]*>/g, '')
      .replace(/<ul class="menu-list">.*?<\/ul>/s, '')
      .matchAll(/ (?:href|action)="([^"#][^"]*)"/g),
  ]
    .map(([, written = '']) => written.replaceAll('&amp;', '&').replaceAll('&#39;', "'"))
    .filter(
      (link) =>
        !link.startsWith('data:') &&
        !link.startsWith('/assets/') &&
        !/^https?:\/\/[^/]+\/operations\//.test(link),
    );

/**
 * Removes the navigation from an error page. The error page does not know the user, and shows everybody the same
 * navigation.
 */
const withoutOffers = (html: string) => html.replace(/<header>.*?<\/nav>/s, '');

function shapeOf(address: URL): string {
  const purposes = ['$pageKey', '$orderby', '$filter', '$top', '$lang'];
  const purpose = purposes.find((name) => address.searchParams.has(name)) ?? '';
  return [address.pathname.replace(/\d+/g, '{}'), address.searchParams.get('$format'), purpose].join(' ');
}

describe('The addresses of pages', function () {
  this.timeout(180_000);
  const service = opened(() => openTestApi({ companies: COMPANIES }));
  const cookies = new Map<Role, string>();

  before(async () => {
    await storeDemoData(service.database, DEMO);
    for (const role of roles) {
      const person = { name: role, companyCodes: PEOPLE[role], roles: [role], password: PASSWORD };
      const pid = await createUser(service.database, person);
      const answer = await fetch(`${service.api.origin}/oauth2`, {
        method: 'POST',
        body: new URLSearchParams({ login: String(pid), password: PASSWORD }),
        redirect: 'manual',
      });
      cookies.set(role, answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '');
    }
  });

  /** Opens an address as a browser does, and follows redirects. Returns the page and its final address. */
  async function open(role: Role, address: string) {
    const headers = { ...HTML, cookie: cookies.get(role) ?? '' };
    let shown = address;
    for (let redirects = 0; ; redirects++) {
      const { status, headers: answered, text } = await service.client.send('GET', shown, headers);
      if (status !== 303) {
        const isPage = answered['content-type']?.startsWith('text/html') === true;
        return { status, text, isPage, address: new URL(shown, service.api.origin) };
      }
      expect(redirects, address).to.be.below(MOST_REDIRECTS);
      shown = (answered.location ?? '').slice(service.api.origin.length);
    }
  }

  async function crawl(role: Role, company: Code, starts: readonly (readonly [string, number])[]) {
    const faults: string[] = [];
    const shapes = new Map<string, number>();
    const waiting = starts.map(([path, status]) => ({ path, status, from: '' }));
    const known = new Set<string>();
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { path, status: expected, from } = next;
      const { status, text, isPage, address } = await open(role, path);
      if (status !== expected) faults.push(`${status} at ${path}, from ${from}`);
      if (!isPage) continue;
      const isDocument = address.pathname.startsWith('/docs');
      if (address.searchParams.get('$db') !== company) faults.push(`${address} has no company, from ${from}`);
      for (const [form] of text.matchAll(FORMS_OF_GET)) {
        if (!form.includes('name="$db"')) faults.push(`a form of ${path} sends no company`);
      }
      const offered = new Set(links(status === 200 ? text : withoutOffers(text)));
      for (const link of links(text)) {
        const to = new URL(link, address);
        // The documentation links to standards and tools on other servers.
        if (to.origin !== address.origin && isDocument) continue;
        if (to.origin !== address.origin) faults.push(`${to} leads elsewhere`);
        if (to.searchParams.get('$db') !== company) faults.push(`${link} of ${path} names no company`);
        // The sign-in is not followed, because it is sent by POST.
        if (known.has(to.href) || !offered.has(link) || to.pathname.startsWith('/oauth2')) continue;
        known.add(to.href);
        const count = (shapes.get(shapeOf(to)) ?? 0) + 1;
        shapes.set(shapeOf(to), count);
        if (count > OF_ONE_SHAPE) continue;
        // The page of an error links to itself in other languages and formats, which return the same status.
        const isSame = to.pathname === address.pathname;
        waiting.push({ path: to.pathname + to.search, status: isSame ? status : 200, from: path });
      }
    }
    return { faults, pages: known.size };
  }

  for (const role of roles) {
    const [home, other] = PEOPLE[role];
    it(`contain the company in every link that a ${role} sees, and lead only to pages that the ${role} may open`, async () => {
      const crawled = await crawl(role, home, [['/', 200], [LIST, 200], ...ELSEWHERE]);
      expect(crawled.faults).to.deep.equal([]);
      expect(crawled.pages).to.be.above(60);
    });

    it(`keep the company that a ${role} has chosen`, async () => {
      const crawled = await crawl(role, other, [[`/?$db=${other}`, 200]]);
      expect(crawled.faults).to.deep.equal([]);
    });
  }

  it('lead from the start page of a forbidden company to the default company', async () => {
    const { status, address } = await open('planner', '/?$lang=deu&$db=TEM-DK');
    expect(status).to.equal(200);
    expect(address.search).to.match(/^\?\$lang=deu&\$db=TEM-NO&\$filter=HoursOverPlan/);
    expect((await open('planner', `${LIST}?$db=TEM-DK`)).status).to.equal(403);
  });

  it('keep all other parameters when the company is added', async () => {
    const { address } = await open('operator', `${LIST}?$top=5&$DB=&search=a%26b+c&view=all`);
    expect(address.search).to.equal('?$top=5&search=a%26b%20c&view=all&$db=TEM-SE');
  });

  it('are not changed if a program requests them; the links in the pages contain the company nevertheless', async () => {
    const page = await service.client.get(`${LIST}?$top=5&$format=html`);
    expect(page.status).to.equal(200);
    expect(links(page.text).filter((link) => !/[?&]\$db=TEM-NO\b/.test(link))).to.deep.equal([]);
    const failed = await service.client.get('/product/products/999999999?$format=html');
    expect(failed.status).to.equal(404);
    expect(links(failed.text).filter((link) => !/[?&]\$db=TEM-NO\b/.test(link))).to.deep.equal([]);
    const json = await service.client.get(`${LIST}?$top=5`);
    expect(json.text).to.include('Link":"http').and.not.to.include('$db');
  });

  describe('in a browser', () => {
    let browser: Browser;
    before(async function () {
      needsProgram(this, 'chromium');
      browser = await openBrowser();
    });
    after(() => browser?.close());

    async function openPage(role: Role) {
      const context = await browser.newContext({ javaScriptEnabled: false });
      const [name = '', value = ''] = (cookies.get(role) ?? '').split('=');
      await context.addCookies([{ name, value, url: service.api.origin }]);
      return await context.newPage();
    }

    it('show the same product to people with different default companies', async () => {
      const [page, otherPage] = [await openPage('planner'), await openPage('operator')];
      await page.goto(`${service.api.origin}/`);
      expect(new URL(page.url()).searchParams.get('$db')).to.equal('TEM-NO');
      await page.goto(`${service.api.origin}${LIST}?view=all&$orderby=ProductName`);
      await page.locator('table.list tbody th a').nth(1).click();
      await page.waitForURL('**/product/structure-versions/*/**');
      const shared = page.url();
      await otherPage.goto(shared);
      expect(otherPage.url()).to.equal(shared);
      const lead = await page.locator('p.lead').textContent();
      expect(lead).not.to.equal('');
      expect(await otherPage.locator('p.lead').textContent()).to.equal(lead);
      await page.context().close();
      await otherPage.context().close();
    });
  });
});

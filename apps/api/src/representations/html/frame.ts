import { languages, languageTags } from '@takt/error-catalogue';
import { escapeHtml, pageStyle, startOfFrame } from '@takt/pages';
import { newestOf, resourceFamilies } from '@takt/resources';
import type { WritingContext } from '../page.js';
import type { Wording } from './languages/eng.js';
import {
  FIRST_PAGE,
  formAction,
  hiddenInputs,
  ownLink,
  pageLink,
  parameterOf,
  signInLink,
} from './own-links.js';
import { fill, titleOf, wordings } from './words.js';

/** Other formats of the same address. */
const OTHER_FORMATS = ['json', 'xml'] as const;

/** Everything before a page's own content. `title` is HTML. */
export function startOfPage(title: string, context: WritingContext): string {
  const { texts } = wordings[context.language];
  return startOfFrame({
    language: languageTags[context.language][0],
    title,
    style: pageStyle,
    skipToContent: texts.skipToContent,
    header: header(context),
  });
}

/** Everything after a page's own content. `formats`: those that the same address has too. */
export function endOfPage(context: WritingContext, formats: readonly string[] = OTHER_FORMATS): string {
  const { texts } = wordings[context.language];
  const links = formats.map((format) => {
    const href = ownLink(context, { $format: format });
    return `<a href="${href}">${format.toUpperCase()}</a>`;
  });
  return (
    `</main><footer>${languageNavigation(context)}${links.length === 0 ? '' : `<p>${texts.formats} ${links.join(' · ')}</p>`}` +
    `<p><a href="${escapeHtml(context.baseUrl)}/docs">${texts.documentation}</a></p>` +
    `<p>${texts.requestId} <code>${escapeHtml(context.requestId)}</code></p></footer></body></html>\n`
  );
}

function header(context: WritingContext): string {
  const wording = wordings[context.language];
  const lists = resourceFamilies.map(newestOf).filter(({ kind }) => kind === 'list');
  const links = lists.map((resource) => {
    const current = context.path === resource.path ? ' aria-current="page"' : '';
    return `<li><a href="${pageLink(context, resource.path)}"${current}>${titleOf(resource, wording)}</a></li>`;
  });
  return (
    `<header><a class="brand" href="${pageLink(context, '/')}">Takt</a><nav aria-label="${wording.texts.resources}"><ul>${links.join('')}</ul></nav>` +
    `${company(context, wording)}${visitor(context, wording)}</header>`
  );
}

/** The company's name, or, where the token knows several, a way to another one. */
function company(context: WritingContext, { texts }: Wording): string {
  const { company: current, companies } = context;
  if (companies.length < 2) return current === undefined ? '' : `<p>${escapeHtml(current.name)}</p>`;
  const options = companies.map(({ code, name, companyId }) => {
    const selected = companyId === current?.companyId ? ' selected' : '';
    return `<option value="${escapeHtml(code)}"${selected}>${escapeHtml(name)}</option>`;
  });
  const name = escapeHtml(parameterOf(context, '$db')?.name ?? '$db');
  return (
    `<form method="get" action="${formAction(context)}">${hiddenInputs(context, { ...FIRST_PAGE, $db: undefined })}` +
    `<label>${texts.company} <select name="${name}">${options.join('')}</select></label>` +
    `<button type="submit">${texts.switchCompany}</button></form>`
  );
}

/** Who is signed in, and the way out. */
function visitor(context: WritingContext, { texts }: Wording): string {
  const { visitor } = context;
  if (visitor.kind !== 'signed-in' && visitor.kind !== 'with-session') return '';
  const who = visitor.kind === 'with-session' ? '' : `<p>${nameOf(visitor.person, texts)}</p>`;
  const action = signInLink(context, '/oauth2/logout', []);
  return `${who}<form method="post" action="${action}"><button type="submit">${texts.signOut}</button></form>`;
}

function nameOf(person: string | null, texts: Wording['texts']): string {
  return person === null ? texts.signedInByToken : fill(texts.signedInAs, escapeHtml(person));
}

function languageNavigation(context: WritingContext): string {
  const links = languages.map((language) => {
    const { ownName } = wordings[language];
    const [tag] = languageTags[language];
    const current = language === context.language ? ' aria-current="true"' : '';
    return `<li><a lang="${tag}" hreflang="${tag}" href="${ownLink(context, { $lang: language })}"${current}>${ownName}</a></li>`;
  });
  return `<nav aria-label="${wordings[context.language].texts.language}"><ul>${links.join('')}</ul></nav>`;
}

import { ServiceError } from '@takt/error-catalogue';
import type { ListResource, ResourceFamily } from '@takt/resources';
import { browseOf } from '../representations/html/browse.js';
import { joinConditions } from '../representations/html/conditions.js';
import { changedParameters, FIRST_PAGE } from '../representations/html/own-links.js';
import { tickOf } from '../representations/html/quick-filter.js';
import type { DetailPage, ListPage, WritingContext } from '../representations/page.js';
import { optionsForPeople } from './ask-for-people.js';
import { type AskedPage, findPage, type PageSource, searchEndMs } from './find-page.js';
import { readOptions } from './read-request.js';

interface AskedByPeople extends Omit<AskedPage, 'resource' | 'options'> {
  /** As the duties of the person show it. */
  readonly family: ResourceFamily;
  readonly context: WritingContext;
}

interface AskedList extends AskedPage {
  readonly resource: ListResource;
}

/** What a page shows. A list without rows knows how many a filter hides that was ticked, if that is found in time. */
export async function findForPeople(
  { family, context, ...by }: AskedByPeople,
  source: PageSource,
): Promise<ListPage | DetailPage> {
  const { resource, options } = readOptions(family, by.read);
  if (resource.kind === 'detail') return await findPage({ ...by, resource, options }, source);
  const endMs = searchEndMs();
  const found = await findList({ ...by, resource, options }, source, endMs);
  const tick = tickOf(resource, browseOf(resource, context).conditions);
  if (!('rows' in found) || found.rows.length > 0 || tick === undefined) return found;
  const $filter = joinConditions(tick.others) || undefined;
  const parameters = changedParameters(context, {
    ...FIRST_PAGE,
    $filter,
    $top: '1',
    $inlinecount: 'allpages',
  });
  const asked = {
    ...by,
    ...readOptions(family, { query: { parameters, problem: undefined }, acceptedExport: undefined }),
  };
  const others = await findPage(asked, source, endMs).catch(() => undefined);
  const size = others !== undefined && 'rows' in others ? others.paging.size : 0;
  return size ? { ...found, foundWithoutTick: size } : found;
}

/** A list is counted, unless that takes too long: then it is shown without its number, if that is found in what is left. */
async function findList(asked: AskedList, source: PageSource, endMs: number): Promise<ListPage | DetailPage> {
  const { resource, options, read } = asked;
  const counted = { ...asked, options: optionsForPeople(options, resource, read.query.parameters) };
  try {
    return await findPage(counted, source, endMs);
  } catch (error) {
    const isTooSlow = error instanceof ServiceError && error.code === 'queryTooSlow';
    if (!isTooSlow || options.countAll || !counted.options.countAll) throw error;
    const uncounted = { ...asked, options: { ...counted.options, countAll: false } };
    // The server has answered, whatever becomes of this.
    return await findPage(uncounted, source, endMs).catch(() => {
      throw error;
    });
  }
}

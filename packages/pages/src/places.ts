import { type Duty, holds, type Rights } from '@takt/catalogue/rights';
import type { Language } from '@takt/texts';
import type { Place } from './frame.js';
import { frameTextsIn } from './words.js';

/** The path below the API's base URL at which the operator's pages are. */
export const OPERATIONS_PATH = '/operations';

/**
 * The value of the parameter `view` that opens a list as the navigation does. Another app than the API does not know the
 * filter and the order of the list's first view.
 */
export const OPENING_VIEW = 'opening';

/** The duties for the pages of imports. A preview compares a file with stored times. */
export const MAY_IMPORT = ['operate-queues', 'read-production-times'] as const satisfies readonly Duty[];

interface KnownPlace {
  /** The app that serves the place, below its base URL. */
  readonly app: 'api' | 'dashboard';
  readonly path: string;
  readonly title: keyof ReturnType<typeof frameTextsIn>;
  readonly duties: readonly Duty[];
}

/** The navigation of all pages. The paths of the API are those of its lists that have views. */
const PLACES: readonly KnownPlace[] = [
  {
    app: 'api',
    path: '/product/products/aggregated-production-times',
    title: 'products',
    duties: ['read-production-times'],
  },
  {
    app: 'api',
    path: '/product/structure-versions/aggregated-production-times',
    title: 'productionTimes',
    duties: ['read-production-times'],
  },
  {
    app: 'api',
    path: '/product/structure-versions/plan-suggestions',
    title: 'plansToCorrect',
    duties: ['read-production-times', 'read-planned-times'],
  },
  { app: 'dashboard', path: '/', title: 'operations', duties: [] },
  { app: 'dashboard', path: '/rejected', title: 'rejectedEvents', duties: ['read-production-times'] },
  { app: 'dashboard', path: '/import', title: 'import', duties: MAY_IMPORT },
  { app: 'dashboard', path: '/access', title: 'people', duties: ['manage-access'] },
];

/**
 * True if a person with these duties may manage people. The duty must be given by name, as the database requires it too.
 */
export const mayManage = (duties: Rights<Duty>): boolean =>
  duties !== 'all' && holds(duties, 'manage-access');

/**
 * The places that a person with these duties may open.
 * @param hrefOf returns the address of a place; undefined if the person cannot open it for another reason
 */
export function placesFor(
  duties: Rights<Duty>,
  language: Language,
  isCurrent: (place: KnownPlace) => boolean,
  hrefOf: (place: KnownPlace) => string | undefined,
): readonly Place[] {
  const may = (duty: Duty) => (duty === 'manage-access' ? mayManage(duties) : holds(duties, duty));
  return PLACES.flatMap((place) => {
    const href = place.duties.every(may) ? hrefOf(place) : undefined;
    const title = frameTextsIn(language)[place.title];
    return href === undefined ? [] : [{ title, href, isCurrent: isCurrent(place) }];
  });
}

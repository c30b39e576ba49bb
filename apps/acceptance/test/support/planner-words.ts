/** Texts that a planner reads and clicks on the pages, in one language. */
export interface PlannerWords {
  readonly language: string;
  /** Language tag of the page. */
  readonly tag: string;
  readonly separator: '.' | ',';
  /** Title of the list. */
  readonly title: string;
  readonly token: string;
  readonly open: string;
  readonly views: string;
  readonly beyondPlan: string;
  readonly all: string;
  readonly setupTime: string;
  readonly hoursOverPlan: string;
  readonly withAllColumns: string;
  readonly deviation: string;
  readonly difference: string;
  readonly planned: string;
  readonly average: string;
  readonly overPlan: string;
  readonly shortest: string;
  readonly longest: string;
  readonly count: string;
  readonly madeAtLeast: string;
  readonly apply: string;
  readonly clear: string;
  readonly order: string;
  readonly last: string;
  readonly first: string;
  readonly pageOf: (page: number, pages: number, from: number, to: number, rows: number) => string;
  readonly advanced: string;
  readonly filter: string;
  readonly planAndActual: string;
  readonly byMonth: string;
  readonly interval: string;
  readonly median: string;
  readonly read: string;
  readonly sessionEnded: string;
}

export const plannerWords = {
  eng: {
    language: 'English',
    tag: 'en',
    separator: '.',
    title: 'Production times',
    token: 'Access token',
    open: 'Open',
    views: 'Views',
    beyondPlan: 'Over plan',
    all: 'All',
    setupTime: 'Setup time',
    hoursOverPlan: 'Hours over plan',
    withAllColumns: 'with all columns',
    deviation: 'Deviation',
    difference: 'Difference',
    planned: 'Planned',
    average: 'Average',
    overPlan: 'Over plan',
    shortest: 'Shortest',
    longest: 'Longest',
    count: 'Count',
    madeAtLeast: 'Made at least',
    apply: 'Apply',
    clear: 'Clear',
    order: 'Order',
    last: 'Last',
    first: 'First',
    pageOf: (page, pages, from, to, rows) => `Page ${page} of ${pages} · ${from}–${to} of ${rows}`,
    advanced: 'Advanced filter',
    filter: 'Filter',
    planAndActual: 'Plan and actual, in hours',
    byMonth: 'By month of completion',
    interval: '95 % interval',
    median: 'Median',
    read: 'Read',
    sessionEnded: 'Your session has ended',
  },
  deu: {
    language: 'Deutsch',
    tag: 'de',
    separator: ',',
    title: 'Produktionszeiten',
    token: 'Zugriffstoken',
    open: 'Öffnen',
    views: 'Ansichten',
    beyondPlan: 'Über Plan',
    all: 'Alle',
    setupTime: 'Rüstzeit',
    hoursOverPlan: 'Stunden über Plan',
    withAllColumns: 'mit allen Spalten',
    deviation: 'Abweichung',
    difference: 'Differenz',
    planned: 'Geplant',
    average: 'Durchschnitt',
    overPlan: 'Über Plan',
    shortest: 'Kürzeste',
    longest: 'Längste',
    count: 'Anzahl',
    madeAtLeast: 'Mindestens gefertigt',
    apply: 'Anwenden',
    clear: 'Zurücksetzen',
    order: 'Sortieren',
    last: 'Letzte',
    first: 'Erste',
    pageOf: (page, pages, from, to, rows) => `Seite ${page} von ${pages} · ${from}–${to} von ${rows}`,
    advanced: 'Erweiterter Filter',
    filter: 'Filter',
    planAndActual: 'Plan und Ist, in Stunden',
    byMonth: 'Nach Monat des Abschlusses',
    interval: '95-%-Intervall',
    median: 'Median',
    read: 'Gelesen',
    sessionEnded: 'Ihre Sitzung ist beendet',
  },
  pol: {
    language: 'polski',
    tag: 'pl',
    separator: ',',
    title: 'Czasy produkcji',
    token: 'Token dostępu',
    open: 'Otwórz',
    views: 'Widoki',
    beyondPlan: 'Ponad plan',
    all: 'Wszystkie',
    setupTime: 'Czas ustawienia',
    hoursOverPlan: 'Godziny ponad plan',
    withAllColumns: 'ze wszystkimi kolumnami',
    deviation: 'Odchylenie',
    difference: 'Różnica',
    planned: 'Plan',
    average: 'Średnia',
    overPlan: 'Ponad plan',
    shortest: 'Najkrótszy',
    longest: 'Najdłuższy',
    count: 'Liczba',
    madeAtLeast: 'Wykonane co najmniej',
    apply: 'Zastosuj',
    clear: 'Wyczyść',
    order: 'Sortuj',
    last: 'Ostatnia',
    first: 'Pierwsza',
    pageOf: (page, pages, from, to, rows) => `Strona ${page} z ${pages} · ${from}–${to} z ${rows}`,
    advanced: 'Filtr zaawansowany',
    filter: 'Filtr',
    planAndActual: 'Plan i rzeczywistość, w godzinach',
    byMonth: 'Według miesiąca zakończenia',
    interval: 'Przedział 95 %',
    median: 'Mediana',
    read: 'Odczytano',
    sessionEnded: 'Sesja się zakończyła',
  },
} as const satisfies Readonly<Record<string, PlannerWords>>;

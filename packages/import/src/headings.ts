import type { ImportedKind } from './fields.js';
import { folded } from './layout.js';
import type { Mapping, Source, Unit } from './mapping.js';

/**
 * Words of headings by field, in the eight languages of Takt and in the words of common ERPs. A heading is recognised if it
 * is one of them, apart from case, punctuation and a unit. Of several, the first counts.
 */
const WORDS = {
  operation: [
    'work order operation|operation key|confirmation|job card|work order operation key',
    'arbeidsoperasjon|tilbakemelding|arbetsoperation|arbejdsoperation|rückmeldung|opération d’ordre|confirmación|potwierdzenie',
  ],
  order: [
    'work order|order|production order|manufacturing order|job|prod order no|order no|mo|reference|document no',
    'arbeidsordre|produksjonsordre|ordre|arbetsorder|tillverkningsorder|arbejdsordre|produktionsordre|auftrag|fertigungsauftrag|betriebsauftrag|fa|ordre de fabrication|of|orden|orden de fabricación|zlecenie|zlecenie produkcyjne',
  ],
  step: [
    'operation|operation no|op|oper|step|sequence|routing line|opr seq',
    'operasjon|operasjonsnr|arbetsmoment|operationsnr|vorgang|arbeitsgang|ag|opération|gamme|operación|operacja|nr operacji',
  ],
  article: [
    'item|article|part|part no|product|material|item no|item code|production item|part number|sku',
    'artikkel|varenr|vare|produkt|artikel|artikelnr|artikelnummer|teil|teilenummer|article|produit|artículo|producto|material|wyrób|indeks|materiał',
  ],
  revision: [
    'revision|rev|version|bom|revision code',
    'revisjon|versjon|revidering|ausgabe|version|stand|révision|revisión|wersja|rewizja',
  ],
  structureVersion: [
    'product structure version|structure version|routing|plan key',
    'struktur|strukturversion|arbeitsplan|gamme de fabrication|ruta|marszruta',
  ],
  name: [
    'name|description|text|item name|article name',
    'navn|betegnelse|benämning|beskrivning|betegnelse|beskrivelse|bezeichnung|name|benennung|désignation|libellé|descripción|nombre|nazwa|opis',
  ],
  finished: [
    'finished|completed|completed at|end|end time|actual end|finish|date finished|posting date|to time|timestamp|date',
    'ferdig|ferdigmeldt|slutt|dato|färdig|klar|slut|datum|færdig|dato|fertig|ende|fertiggestellt|fertigmeldung|buchungsdatum|iststart ende|terminé|fin|date de fin|fecha|terminado|fin real|zakończono|koniec|data',
  ],
  run: [
    'run time|run|runtime|actual run time|machine time|labor time|labour time|duration|time|minutes|hours|time in mins|real duration',
    'stykktid|kjøretid|tid|minutter|timer|körtid|stycktid|minuter|timmar|køretid|stykktid|laufzeit|bearbeitungszeit|fertigungszeit|istzeit|zeit|minuten|stunden|dauer|temps|durée|temps machine|minutes|heures|tiempo|duración|minutos|horas|czas|czas pracy|minuty|godziny',
  ],
  setup: [
    'setup time|setup|set up|change over|changeover',
    'omstilling|omstillingstid|oppsett|ställtid|omställning|opstilling|omstilling|rüsten|rüstzeit|réglage|temps de réglage|preparación|tiempo de preparación|przezbrojenie|czas przygotowania',
  ],
  cleanup: [
    'cleanup time|cleanup|teardown|clean up',
    'rydding|opprydding|avställning|städning|oprydning|abrüsten|abrüstzeit|nachrüsten|nettoyage|limpieza|sprzątanie',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

type Meaning = keyof typeof WORDS;

const UNIT_WORDS: readonly (readonly [RegExp, Unit])[] = [
  [/^(s|sec|secs|sek|seconds?|sekunden|sekunder|secondes|segundos|sekundy)$/, 's'],
  [/^(min|mins|minutes?|minuten|minutter|minuter|minutos|minuty)$/, 'min'],
  [/^(h|hr|hrs|hours?|std|stunden|timer|timmar|heures|horas|godz|godziny|t)$/, 'h'],
  [/^(hh:mm)$/, 'hh:mm'],
  [/^(hh:mm:ss)$/, 'hh:mm:ss'],
];

const PLANNED =
  /^(planned|plan|standard|std|target|planlagt|planerad|planlagt|soll|plan-?|geplante?|prévu|planificado|planowany)[ -]?/;

/** Divides a heading into words and a unit, such as `Laufzeit [min]` or `Minutes`. */
function divide(heading: string): { readonly words: string; readonly unit: Unit | undefined } {
  const plain = folded(heading)
    .replaceAll(/[._/#*]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  const bracketed =
    /^(.*?)\s*[[(](.+?)[\])]$/.exec(plain) ?? /^(.+?)[ ,]+(?:in )?(min|h|hrs?|std|sec|s|mins)$/.exec(plain);
  const words = bracketed?.[1] ?? plain;
  const unit = UNIT_WORDS.find(([pattern]) => pattern.test(bracketed?.[2] ?? words))?.[1];
  return { words, unit };
}

interface Recognised {
  readonly columns: ReadonlyMap<Meaning, { readonly heading: string; readonly unit: Unit | undefined }>;
  readonly isPlan: boolean;
}

function recognise(headings: readonly string[]): Recognised {
  const columns = new Map<Meaning, { heading: string; unit: Unit | undefined }>();
  let isPlan = false;
  const divided = headings.map((heading) => ({ heading, ...divide(heading) }));
  for (const [meaning, lists] of Object.entries(WORDS) as [Meaning, readonly string[]][]) {
    const candidates = lists.flatMap((list) => list.split('|'));
    for (const candidate of candidates) {
      const found = divided.find(
        ({ words }) => words === candidate || words.replace(PLANNED, '') === candidate,
      );
      if (found === undefined || [...columns.values()].some(({ heading }) => heading === found.heading)) {
        continue;
      }
      columns.set(meaning, { heading: found.heading, unit: found.unit });
      if (PLANNED.test(found.words) && ['run', 'setup', 'cleanup'].includes(meaning)) isPlan = true;
      break;
    }
  }
  return { columns, isPlan };
}

/** Counts the recognised headings of a row, to find the headings of a file. */
export const countRecognised = (headings: readonly string[]): number => recognise(headings).columns.size;

/** A proposed mapping, and what a person has to complete. */
export interface Proposal {
  readonly mapping: Pick<Mapping, 'what' | 'columns'>;
  readonly missing: readonly string[];
}

export function propose(headings: readonly string[], given?: ImportedKind): Proposal {
  const { columns, isPlan } = recognise(headings);
  const isOfPlans = isPlan || !(columns.has('order') || columns.has('operation'));
  const what = given ?? (isOfPlans ? 'plans' : 'operations');
  const heading = (meaning: Meaning) => columns.get(meaning)?.heading;
  const joined = (...meanings: Meaning[]) => {
    const found = meanings.flatMap((meaning) => heading(meaning) ?? []);
    if (found.length === 0) return undefined;
    return found.length === 1
      ? found[0]
      : found.map((name) => `{${name}}`).join(meanings[0] === 'order' ? '/' : '.');
  };
  const time = (meaning: Meaning): Source | undefined => {
    const found = columns.get(meaning);
    return found === undefined ? undefined : { column: found.heading, unit: found.unit ?? 'min' };
  };
  const version = heading('structureVersion') ?? joined('article', 'revision', 'step');
  const times = what === 'operations' ? '' : 'plannedProductionTimes.';
  const proposed: Readonly<Record<string, Source | undefined>> =
    what === 'operations'
      ? {
          workOrderOperationKey: heading('operation') ?? joined('order', 'step'),
          workOrderKey: heading('order'),
          productStructureVersionKey: version,
          completedAt: heading('finished'),
        }
      : {
          productStructureVersionKey: version,
          name: heading('name'),
          'product.productKey': heading('article'),
          'product.name': heading('name'),
        };
  const all = {
    ...proposed,
    [`${times}runTime`]: time('run'),
    [`${times}setupTime`]: time('setup'),
    [`${times}cleanupTime`]: time('cleanup'),
  };
  const entries = Object.entries(all).filter((entry): entry is [string, Source] => entry[1] !== undefined);
  const needed =
    what === 'operations'
      ? ['workOrderOperationKey', 'productStructureVersionKey', 'completedAt', 'runTime']
      : ['productStructureVersionKey', 'plannedProductionTimes.runTime'];
  const missing = needed.filter((field) => !entries.some(([name]) => name === field));
  return { mapping: { what, columns: Object.fromEntries(entries) }, missing };
}

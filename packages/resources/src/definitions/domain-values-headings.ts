import type { Translations } from '@takt/error-catalogue';
import { sharedHeadings } from './shared-texts.js';

/** Headings of domain values, by name. */
export const headings = {
  Description: sharedHeadings.Description,
  DomainValues: {
    eng: 'Domain values',
    nob: 'Domeneverdier',
    swe: 'Domänvärden',
    dan: 'Domæneværdier',
    deu: 'Domänenwerte',
    fra: 'Valeurs de domaine',
    spa: 'Valores de dominio',
    pol: 'Wartości dziedziny',
  },
  DomainValuesSummary: {
    eng: 'The values that a field can hold, and what they mean.',
    nob: 'Verdiene et felt kan ha, og hva de betyr.',
    swe: 'Värdena som ett fält kan ha och vad de betyder.',
    dan: 'De værdier, et felt kan have, og hvad de betyder.',
    deu: 'Die Werte, die ein Feld haben kann, und was sie bedeuten.',
    fra: 'Les valeurs qu’un champ peut prendre, et leur signification.',
    spa: 'Los valores que puede tener un campo y lo que significan.',
    pol: 'Wartości, które może mieć pole, i ich znaczenie.',
  },
  Key: {
    eng: 'Value',
    nob: 'Verdi',
    swe: 'Värde',
    dan: 'Værdi',
    deu: 'Wert',
    fra: 'Valeur',
    spa: 'Valor',
    pol: 'Wartość',
  },
  Priority: {
    eng: 'Order',
    nob: 'Rekkefølge',
    swe: 'Ordning',
    dan: 'Rækkefølge',
    deu: 'Reihenfolge',
    fra: 'Ordre',
    spa: 'Orden',
    pol: 'Kolejność',
  },
} satisfies Readonly<Record<string, Translations>>;

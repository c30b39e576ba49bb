import type { Translations } from '@takt/error-catalogue';

/** Headings of what means the same in several resources. */
export const sharedHeadings = {
  Status: {
    eng: 'Status',
    nob: 'Status',
    swe: 'Status',
    dan: 'Status',
    deu: 'Status',
    fra: 'Statut',
    spa: 'Estado',
    pol: 'Status',
  },
  Name: {
    eng: 'Name',
    nob: 'Navn',
    swe: 'Namn',
    dan: 'Navn',
    deu: 'Name',
    fra: 'Nom',
    spa: 'Nombre',
    pol: 'Nazwa',
  },
  Type: {
    eng: 'Type',
    nob: 'Type',
    swe: 'Typ',
    dan: 'Type',
    deu: 'Typ',
    fra: 'Type',
    spa: 'Tipo',
    pol: 'Typ',
  },
  Description: {
    eng: 'Description',
    nob: 'Beskrivelse',
    swe: 'Beskrivning',
    dan: 'Beskrivelse',
    deu: 'Beschreibung',
    fra: 'Description',
    spa: 'Descripción',
    pol: 'Opis',
  },
  Namespace: {
    eng: 'Namespace',
    nob: 'Navnerom',
    swe: 'Namnrymd',
    dan: 'Navnerum',
    deu: 'Namensraum',
    fra: 'Espace de noms',
    spa: 'Espacio de nombres',
    pol: 'Przestrzeń nazw',
  },
  CreatedBy: {
    eng: 'Created by',
    nob: 'Opprettet av',
    swe: 'Skapad av',
    dan: 'Oprettet af',
    deu: 'Erstellt von',
    fra: 'Créé par',
    spa: 'Creado por',
    pol: 'Utworzone przez',
  },
} satisfies Readonly<Record<string, Translations>>;

/** What the values of a status mean, as far as several objects have them. */
export const lifecycle = {
  new: {
    eng: 'new',
    nob: 'ny',
    swe: 'ny',
    dan: 'ny',
    deu: 'neu',
    fra: 'nouveau',
    spa: 'nuevo',
    pol: 'nowy',
  },

  active: {
    eng: 'active',
    nob: 'aktiv',
    swe: 'aktiv',
    dan: 'aktiv',
    deu: 'aktiv',
    fra: 'actif',
    spa: 'activo',
    pol: 'aktywny',
  },

  obsolete: {
    eng: 'obsolete',
    nob: 'utgått',
    swe: 'utgången',
    dan: 'udgået',
    deu: 'veraltet',
    fra: 'obsolète',
    spa: 'obsoleto',
    pol: 'wycofany',
  },
} satisfies Readonly<Record<string, Translations>>;

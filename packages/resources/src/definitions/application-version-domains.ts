import type { Domain } from '../field.js';
import { lifecycle } from './shared-texts.js';

export const status: Domain = {
  object: 'Application',
  field: 'Status',
  values: {
    '1': lifecycle.new,
    '4': lifecycle.active,
    '9': lifecycle.obsolete,
  },
};

export const scope: Domain = {
  object: 'Application',
  field: 'Scope',
  values: {
    GLOBAL: {
      eng: 'available in all systems',
      nob: 'tilgjengelig i alle systemer',
      swe: 'tillgänglig i alla system',
      dan: 'tilgængelig i alle systemer',
      deu: 'in allen Systemen verfügbar',
      fra: 'disponible dans tous les systèmes',
      spa: 'disponible en todos los sistemas',
      pol: 'dostępny we wszystkich systemach',
    },
    LOCAL: {
      eng: 'available in this system only',
      nob: 'bare tilgjengelig i dette systemet',
      swe: 'endast tillgänglig i detta system',
      dan: 'kun tilgængelig i dette system',
      deu: 'nur in diesem System verfügbar',
      fra: 'disponible dans ce système seulement',
      spa: 'disponible solo en este sistema',
      pol: 'dostępny tylko w tym systemie',
    },
  },
};

export const type: Domain = {
  object: 'Application',
  field: 'Type',
  values: {
    APPLICATION: {
      eng: 'application',
      nob: 'applikasjon',
      swe: 'applikation',
      dan: 'applikation',
      deu: 'Anwendung',
      fra: 'application',
      spa: 'aplicación',
      pol: 'aplikacja',
    },
    WIDGET: {
      eng: 'widget',
      nob: 'widget',
      swe: 'widget',
      dan: 'widget',
      deu: 'Widget',
      fra: 'widget',
      spa: 'widget',
      pol: 'widżet',
    },
    COMPONENT: {
      eng: 'component',
      nob: 'komponent',
      swe: 'komponent',
      dan: 'komponent',
      deu: 'Komponente',
      fra: 'composant',
      spa: 'componente',
      pol: 'komponent',
    },
  },
};

export const contentType: Domain = {
  object: 'Application',
  field: 'ContentType',
  values: {
    HTML5: {
      eng: 'HTML5 page',
      nob: 'HTML5-side',
      swe: 'HTML5-sida',
      dan: 'HTML5-side',
      deu: 'HTML5-Seite',
      fra: 'page HTML5',
      spa: 'página HTML5',
      pol: 'strona HTML5',
    },
    LINK: {
      eng: 'link to an address',
      nob: 'lenke til en adresse',
      swe: 'länk till en adress',
      dan: 'link til en adresse',
      deu: 'Verweis auf eine Adresse',
      fra: 'lien vers une adresse',
      spa: 'enlace a una dirección',
      pol: 'odnośnik do adresu',
    },
  },
};

import { inEveryLanguage } from '@takt/texts';
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
  values: inEveryLanguage('Application.Scope', {
    GLOBAL: 'available in all systems',
    LOCAL: 'available in this system only',
  }),
};

export const type: Domain = {
  object: 'Application',
  field: 'Type',
  values: inEveryLanguage('Application.Type', {
    APPLICATION: 'application',
    WIDGET: 'widget',
    COMPONENT: 'component',
  }),
};

export const contentType: Domain = {
  object: 'Application',
  field: 'ContentType',
  values: inEveryLanguage('Application.ContentType', {
    HTML5: 'HTML5 page',
    LINK: 'link to an address',
  }),
};

import { defineKind } from './define-kind.js';

/** True or false. */
export const flag = defineKind({
  name: 'flag',
  rule: 'true or false',
  jsonSchema: { type: 'boolean' },
  read: (value) => (typeof value === 'boolean' ? value : undefined),
});

import type { Field, Group, ListResource, Node } from '@takt/catalogue/resources';
import { documentNodes } from '@takt/catalogue/resources';
import { productionTimes } from './resources.js';

const { text } = documentNodes;

const group = (name: string, child: Node): Group => documentNodes.group(name, '', [child]);

const value = (): Field =>
  text('Value', '', { from: productionTimes.key.source ?? productionTimes.source.table });

const inner = (): Group => group('Inner', value());

/** A list with two fields of the same name in two groups of the same name. No list of the service has such fields. */
export const ambiguousList: ListResource = {
  ...productionTimes,
  identifier: 1,
  fields: [{ ...productionTimes.key, name: 'Key' }, group('One', inner()), group('Two', inner())],
};

/** The same list with a third field. The whole path of this field equals the end of the paths of both other fields. */
export const nestedList: ListResource = {
  ...ambiguousList,
  identifier: 2,
  fields: [...ambiguousList.fields, inner()],
};

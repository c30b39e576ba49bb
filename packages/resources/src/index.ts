export { error } from './definitions/error.js';
export { PAGING_DETAILS, paging, size } from './definitions/paging.js';
export { domainDescriptionOf } from './model/domain-description.js';
export type { Collection, Domain, Field, FieldType, Group, Node } from './model/field.js';
export { text } from './model/field.js';
export { jsonName } from './model/json-name.js';
export type {
  DetailResource,
  ListResource,
  PathParameter,
  Resource,
  ResourceFamily,
  Source,
  TimeComparison,
} from './model/resource.js';
export { type Leaf, leavesOf, queryFieldsOf } from './model/walk.js';
export { newestOf, resourceFamilies, versionFor } from './registry.js';

export { error } from './definitions/error.js';
export { PAGING_DETAILS, paging, size } from './definitions/paging.js';
export { service, serviceTexts } from './definitions/service.js';
export {
  type Collection,
  type Domain,
  type Field,
  type FieldType,
  type Group,
  jsonName,
  type Leaf,
  type Lookup,
  leavesOf,
  type Node,
} from './field.js';
export { documentNodes, domainDescriptionOf } from './nodes-with.js';
export { newestOf, resourceFamilies, versionFor } from './registry.js';
export {
  type DetailResource,
  filterFieldsOf,
  type ListResource,
  type PathParameter,
  queryFieldsOf,
  type Resource,
  type ResourceFamily,
  type Source,
  type TimeComparison,
  type TimeFigure,
  timeFigures,
} from './resource.js';
export { restrictFamily } from './restrict-family.js';
export { servedDomains, synchroniseServedTexts } from './synchronise-served-texts.js';

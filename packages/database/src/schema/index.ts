// What queries need of the tables: columns and keys. Checks, indexes, foreign keys and grants stand in the
// migrations alone, and migrations/schema.sql shows what they add up to.
export { accessTokenCompanies, accessTokens } from './access-tokens.js';
export { applicationVersions } from './application-versions.js';
export { companies } from './companies.js';
export { domainValues } from './domain-values.js';
export { errorMessages } from './error-messages.js';
export { listSizes } from './list-sizes.js';
export { productStructureVersions } from './product-structure-versions.js';
export { products } from './products.js';
export { schemaFunctions, schemaMigrations } from './schema-migrations.js';
export { workOrderOperations } from './work-order-operations.js';

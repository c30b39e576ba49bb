export {
  applyReferenceData,
  type ReferenceDataEvent,
  type ReferenceDataOutcome,
} from './apply-reference-data.js';
export { addCompany, type Company, CompanyCodeError, listCompanies } from './companies.js';

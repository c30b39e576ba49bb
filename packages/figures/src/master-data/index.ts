export { applyReferenceData, type ReferenceDataOutcome } from './apply-reference-data.js';
export type { ReferenceDataEvent } from './change-rows.js';
export {
  addCompany,
  type Company,
  CompanyCodeError,
  disableCompany,
  listCompanies,
  renameCompany,
} from './companies.js';
export { changeTimeZone, TimeZoneError, type TimeZoneReport } from './time-zones.js';

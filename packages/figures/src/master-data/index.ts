export { applyReferenceData, type ReferenceDataOutcome } from './apply-reference-data.js';
export type { ReferenceDataEvent } from './change-rows.js';
export {
  addCompany,
  type Company,
  CompanyCodeError,
  type CompanyContents,
  countContents,
  disableCompany,
  findMonthsInTimeZone,
  isCompanyCode,
  listCompanies,
  removeCompany,
  renameCompany,
  setTimeUnit,
} from './companies.js';
export { changeTimeZone, findTimeZone, TimeZoneError, type TimeZoneReport } from './time-zones.js';

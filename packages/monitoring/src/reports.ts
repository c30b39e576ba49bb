// What the database knows of workers and audits, without the libraries of metrics and traces.
export { type AuditRun, noteAudit, readLastAudit } from './audit-runs.js';
export {
  readWorkerReports,
  startWorkerReports,
  type WorkerReport,
  type WorkerReports,
  type WorkerReportsOptions,
} from './worker-reports.js';

export { BackupError } from './backup/backup-format.js';
export {
  type RestoreOptions,
  type RestoreReport,
  restoreBackup,
  verifyBackupFile,
} from './backup/restore-backup.js';
export {
  type BackupOptions,
  type BackupReport,
  writeBackup,
  writeBackupFile,
} from './backup/write-backup.js';
export type { BloatLimits } from './maintain/find-bloat.js';
export {
  MaintenanceError,
  type MaintenanceOptions,
  type MaintenanceReport,
  type MaintenanceStep,
  maintainDatabase,
  type OldTransaction,
} from './maintain/maintain-database.js';

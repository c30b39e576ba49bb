export { BackupError } from './backup-format.js';
export {
  MaintenanceError,
  type MaintenanceOptions,
  type MaintenanceReport,
  type MaintenanceStep,
  maintainDatabase,
  measureIndexes,
  type OldTransaction,
} from './maintain-database.js';
export {
  type RestoreOptions,
  type RestoreReport,
  restoreBackup,
  verifyBackupFile,
} from './restore-backup.js';
export {
  type BackupOptions,
  type BackupReport,
  writeBackup,
  writeBackupFile,
} from './write-backup.js';

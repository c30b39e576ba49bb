export {
  checkReadiness,
  databaseCheck,
  type OpenFoundation,
  openFoundation,
  queueCheck,
} from './open-foundation.js';
export { type AppOptions, runApp } from './run-app.js';

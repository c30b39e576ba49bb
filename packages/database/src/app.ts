export {
  checkReadiness,
  databaseCheck,
  type OpenFoundation,
  openFoundation,
  queueCheck,
} from './open-foundation.js';
export { type AppOptions, optionsOf, runApp, type StartApp } from './run-app.js';

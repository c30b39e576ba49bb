export {
  checkReadiness,
  type OpenFoundation,
  openFoundation,
  queueCheck,
  type ReadinessCheck,
  watchDatabase,
} from './open-foundation.js';
export { type AppOptions, optionsOf, runApp, type StartApp } from './run-app.js';

export {
  checkReadiness,
  type OpenFoundation,
  openFoundation,
} from './open-foundation.js';
export { type AppOptions, type AppProgram, runApp } from './run-app.js';

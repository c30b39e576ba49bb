export { installApp, packApp } from './pack-app.js';

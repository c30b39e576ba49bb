export { packApp } from './pack-app.js';

export { packApp } from './pack-app.js';
export { compareVersions, ReleaseError, type ReleaseOptions, release } from './release.js';

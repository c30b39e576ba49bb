import { fileURLToPath } from 'node:url';
import { installApp } from './pack-app.js';

/* Installs an app of this built checkout for production, as its image does: install-app-main.js APP FOLDER */

const [app, folder] = process.argv.slice(2);
if (app === undefined || folder === undefined) {
  console.error('usage: install-app-main.js APP FOLDER, such as api /opt/takt-api');
  process.exit(2);
}
await installApp(fileURLToPath(new URL('../../../../', import.meta.url)), app, folder);

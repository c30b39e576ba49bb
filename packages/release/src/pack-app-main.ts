import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { packApp } from './pack-app.js';

/* Lays an app out for production, as the image does: node packages/release/dist/src/pack-app-main.js APP FOLDER */

const [app, folder] = process.argv.slice(2);
if (app === undefined || folder === undefined) {
  console.error('usage: pack-app-main.js APP FOLDER, such as api /tmp/takt-api');
  process.exit(2);
}
await mkdir(folder, { recursive: true });
await packApp(fileURLToPath(new URL('../../../../', import.meta.url)), app, folder);

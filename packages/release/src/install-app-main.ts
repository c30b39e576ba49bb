import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packApp } from './pack-app.js';

/*
 * Installs an app of this built checkout for production, in the same way as the image of the app: install-app-main.js
 * APP FOLDER. All users can read the installed files.
 */

const [app, folder] = process.argv.slice(2);
if (app === undefined || folder === undefined) {
  console.error('usage: install-app-main.js APP FOLDER, such as api /opt/takt-api');
  process.exit(2);
}
const run = promisify(execFile);
await mkdir(folder, { recursive: true });
await packApp(fileURLToPath(new URL('../../../../', import.meta.url)), app, folder);
// Development dependencies and the embedded server are left out.
await run('npm', ['ci', '--omit=dev', '--omit=optional', '--prefer-offline'], { cwd: folder });
// Source maps and types are removed: they are a quarter of the installation, and nothing reads them at run time.
const unread = ['*.map', '*.d.ts', '*.d.mts', '*.d.cts'].flatMap((name) => ['-o', '-name', name]).slice(1);
await run('find', ['node_modules', '-type', 'f', '(', ...unread, ')', '-delete'], { cwd: folder });
await run('chmod', ['-R', 'u=rwX,go=rX', folder]);

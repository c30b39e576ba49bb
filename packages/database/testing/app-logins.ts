import { type AppName, addressOf, appNames, inventLogin, type Login, makeLogin } from '../src/index.js';

type Logins = Readonly<Record<AppName, Login>>;

/** Log-ins by host and port of their server: they belong to the server, and one per app serves all its databases. */
const servers = new Map<string, Promise<Logins>>();

/** The URL of a migrated database for the log-in of an app, from the owner's URL; a Redis URL is returned unchanged. */
export async function appUrlOf(ownerUrl: string, app: AppName): Promise<string> {
  return /^postgres/.test(ownerUrl) ? addressOf(ownerUrl, (await obtainLogins(ownerUrl))[app]) : ownerUrl;
}

/** The log-ins on the server of a migrated database, created on the first call. */
export function obtainLogins(ownerUrl: string): Promise<Logins> {
  const { host } = new URL(ownerUrl);
  const logins = servers.get(host) ?? makeLogins(ownerUrl);
  servers.set(host, logins);
  return logins;
}

async function makeLogins(ownerUrl: string): Promise<Logins> {
  const logins = {
    api: inventLogin('api'),
    worker: inventLogin('worker'),
    intake: inventLogin('intake'),
    dashboard: inventLogin('dashboard'),
  };
  for (const app of appNames) await makeLogin(ownerUrl, app, logins[app]);
  return logins;
}

import { type AppName, addressOf, appNames, inventLogin, type Login, makeLogin } from '../src/index.js';

type Logins = Readonly<Record<AppName, Login>>;

/**
 * The log-ins by host and port of their server. Log-ins belong to the server, and one log-in per app serves all
 * databases of the server.
 */
const servers = new Map<string, Promise<Logins>>();

/**
 * Returns the URL of a migrated database for the log-in of an app, made from the owner's URL. A Redis URL is returned
 * unchanged.
 */
export async function appUrlOf(ownerUrl: string, app: AppName): Promise<string> {
  return /^postgres/.test(ownerUrl) ? addressOf(ownerUrl, (await obtainLogins(ownerUrl))[app]) : ownerUrl;
}

/** Returns the log-ins on the server of a migrated database. The first call creates them. */
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

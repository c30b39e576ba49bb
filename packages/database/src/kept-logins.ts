import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent, readOrCreateSecret } from '@takt/embedded-postgres';
import {
  type AppName,
  addressOf,
  appNames,
  appRoles,
  inventLogin,
  type Login,
  LoginError,
  makeLogin,
} from './logins.js';

/** Addresses of a database, for each app that of its log-in. */
export type AppUrls = Readonly<Record<AppName, string>>;

/**
 * Makes the log-in of every app in the migrated database of `ownerUrl`, those that `home` keeps in `logins`, one file
 * each, or new ones, which it keeps from then on; safe to repeat. Throws a LoginError where the owner may not.
 */
export async function keepLogins(home: string, ownerUrl: string): Promise<AppUrls> {
  const urls: (readonly [AppName, string])[] = [];
  await mkdir(join(home, FOLDER), { recursive: true, mode: 0o700 });
  for (const app of appNames) {
    const invent = () => {
      const { name, password } = inventLogin(app);
      return `${name}:${password}\n`;
    };
    const path = pathOf(home, app);
    const login = parse(await readOrCreateSecret(path, invent), path);
    await makeLogin(ownerUrl, app, login);
    urls.push([app, addressOf(ownerUrl, login)]);
  }
  return Object.fromEntries(urls) as AppUrls;
}

/** The address of a database for the log-in of an app that `home` keeps. Throws a LoginError where it keeps none. */
export async function keptLoginUrl(home: string, app: AppName, ownerUrl: string): Promise<string> {
  const path = pathOf(home, app);
  const text = await readIfPresent(path);
  if (text !== undefined) return addressOf(ownerUrl, parse(text, path));
  throw new LoginError(
    `there is no log-in for the ${app} in ${path} yet: run npx takt migrate, or npx takt start`,
  );
}

/**
 * Makes a log-in for each app whose password `folder` holds in a file of the app's name, as containers are given secrets:
 * takt_api_login with the password in `api`, and so on; safe to repeat, and the way to change a password. Gives the names.
 * Throws a LoginError where there is no password, or one that could be guessed, and where the owner may not.
 */
export async function makeGivenLogins(folder: string, ownerUrl: string): Promise<readonly string[]> {
  const given: (readonly [AppName, Login])[] = [];
  for (const app of appNames) {
    const path = join(folder, app);
    const password = (await readIfPresent(path))?.replace(/\r?\n$/, '');
    if (password === undefined) continue;
    if (!UNGUESSABLE.test(password)) {
      throw new LoginError(
        `${path} must hold a password of 24 or more letters, digits or signs: openssl rand -hex 32`,
      );
    }
    given.push([app, { name: `${appRoles[app]}_login`, password }]);
  }
  if (given.length === 0) {
    throw new LoginError(`${folder} holds no password: put each into a file named ${appNames.join(', ')}`);
  }
  for (const [app, login] of given) await makeLogin(ownerUrl, app, login);
  return given.map(([, { name }]) => name);
}

/** Printable ASCII, as SCRAM takes it without a preparation. */
const UNGUESSABLE = /^[!-~]{24,200}$/;

const FOLDER = 'logins';

function pathOf(home: string, app: AppName): string {
  return join(home, FOLDER, app);
}

function parse(text: string, path: string): Login {
  const [, name, password] = /^([a-z0-9_]+):([\w-]+)\n$/.exec(text) ?? [];
  if (name !== undefined && password !== undefined) return { name, password };
  throw new LoginError(`${path} holds no log-in: delete it and run npx takt migrate, or npx takt start`);
}

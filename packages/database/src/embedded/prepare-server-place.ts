import { findBinaryPackage } from './binary-package.js';
import type { HomeLayout } from './home-layout.js';
import { prepareBinaries } from './prepare-binaries.js';
import { prepareDataDirectory } from './prepare-data-directory.js';
import { chooseServerUser } from './server-user.js';
import type { ServerPlace } from './start-postmaster.js';

/** Where root puts copies of the programs that the server's user can reach. */
const SHARED_COPIES_DIRECTORY = '/var/lib/takt/binaries';

/** Finds or makes all that a server needs before it can be started: its user, its programs, its data. */
export async function prepareServerPlace(
  layout: HomeLayout,
  settings: Readonly<Record<string, string>>,
): Promise<ServerPlace> {
  const user = await chooseServerUser(layout);
  const copies = user === undefined ? layout.binaries : SHARED_COPIES_DIRECTORY;
  const binaries = await prepareBinaries(await findBinaryPackage(), copies, user);
  const durable = settings['fsync'] !== 'off';
  const data = await prepareDataDirectory(layout, { binaries, user, durable });
  return { data, binaries, user, settings };
}

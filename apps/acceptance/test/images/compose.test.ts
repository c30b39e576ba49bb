import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { completion, structureVersion, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type ComposeService, dockerPath, readCompose } from '../support/compose.js';

const run = promisify(execFile);
const { TAKT_IMAGES_BUILT, TAKT_REQUIRE_ALL } = process.env;
/** Pulling these fails where there is no registry of images. The rest of Takt runs without them. */
const FROM_A_REGISTRY_ONLY = ['prometheus', 'grafana'];
const APPS = ['api', 'dashboard', 'intake', 'worker'];
const API = 'http://127.0.0.1:3000';
const INTAKE = 'http://127.0.0.1:3003';
const DASHBOARD = 'http://127.0.0.1:3001';
const FIGURES = '/product/structure-versions/7/aggregated-production-times?$format=json';
const DEADLINE_MS = 240_000;

interface Container {
  readonly Name: string;
  readonly Config: { readonly User: string; readonly Labels: Readonly<Record<string, string>> };
  readonly HostConfig: {
    readonly ReadonlyRootfs: boolean;
    readonly CapAdd: readonly string[] | null;
    readonly CapDrop: readonly string[];
    readonly SecurityOpt: readonly string[];
    readonly Init: boolean;
    readonly Memory: number;
    readonly PidsLimit: number;
  };
  readonly State: { readonly ExitCode: number; readonly Status: string; readonly OOMKilled: boolean };
}

/**
 * Builds the images and runs docker/compose.yaml as it is, with docker or podman, on the ports of compose.yaml. Compose
 * also reads COMPOSE_FILE, so a machine with a network of its own may add a file that changes the network. With
 * TAKT_IMAGES_BUILT=true, the images of TAKT_VERSION are there already.
 */
describe('docker compose', function () {
  this.timeout(1_800_000);
  let engine = '';
  let secrets: string;
  let services: readonly string[];
  let environment: NodeJS.ProcessEnv;
  let token: string;
  let publishing: string;

  const docker = async (...args: readonly string[]) => {
    const done = await run(engine, args, {
      ...{ cwd: dockerPath('.'), env: environment, maxBuffer: 50_000_000 },
    }).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${engine} ${args.join(' ')}: ${error.stderr ?? ''}${error.stdout ?? String(error)}`);
    });
    return done.stdout;
  };
  const compose = (...args: readonly string[]) => docker('compose', ...args);
  const up = () => compose('up', '--detach', '--no-build', ...services);
  const takt = async (...args: readonly string[]) =>
    (await compose('run', '--rm', '--no-TTY', '--no-deps', 'takt', ...args)).trim();

  const containers = async (): Promise<readonly Container[]> => {
    const ids = (await compose('ps', '--all', '--quiet')).trim().split('\n');
    return JSON.parse(await docker('inspect', ...ids));
  };
  const serviceOf = ({ Config: { Labels } }: Container) => Labels['com.docker.compose.service'] ?? '';
  const isReady = async (origin: string) =>
    fetch(`${origin}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  const untilReady = async () => {
    for (const origin of [API, INTAKE, DASHBOARD]) {
      await waitUntil(`${origin} is ready`, () => isReady(origin), DEADLINE_MS);
    }
  };
  const publish = async (events: readonly object[]) => {
    const { status } = await fetch(`${INTAKE}/events`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${publishing}`,
        'content-type': 'application/cloudevents-batch+json',
      },
      body: JSON.stringify(events),
    });
    expect(status).to.equal(202);
  };
  const countCompleted = async (): Promise<number | undefined> => {
    const answer = await fetch(API + FIGURES, { headers: { authorization: `Bearer ${token}` } });
    const [, count] = /"numberOfCompletedProductionWorkOrders":\s*"?(\d+)/.exec(await answer.text()) ?? [];
    return count === undefined ? undefined : Number(count);
  };
  const untilCounted = (count: number) =>
    waitUntil(`${count} operations are counted`, async () => (await countCompleted()) === count, DEADLINE_MS);
  const operations = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => completion(from + index));

  before(async () => {
    secrets = await mkdtemp(join(tmpdir(), 'takt-secrets-'));
    environment = { ...process.env, COMPOSE_PROJECT_NAME: 'takt-test', TAKT_SECRETS: secrets };
    engine = await findEngine();
    await run('./secrets.sh', { cwd: dockerPath('.'), env: environment });
    const all = (await compose('config', '--services')).trim().split('\n');
    const away = (
      await Promise.all(
        FROM_A_REGISTRY_ONLY.map((name) =>
          compose('pull', '--policy', 'missing', name).then(
            () => [],
            () => [name],
          ),
        ),
      )
    ).flat();
    if (away.length > 0) {
      if (TAKT_REQUIRE_ALL !== undefined) throw new Error(`no image of ${away.join(' and ')}`);
      console.error(`LEFT OUT: ${away.join(' and ')}, whose images cannot be pulled`);
    }
    services = all.filter((name) => !away.includes(name));
    if (TAKT_IMAGES_BUILT === undefined) await compose('build');
  });
  after(async () => {
    if (engine !== '') await compose('down', '--volumes', '--timeout', '30');
    await rm(secrets, { recursive: true, force: true });
  });

  it('starts everything from nothing, and takes an event to its figure', async () => {
    await up();
    await untilReady();
    await takt('company', 'add', 'TEM-NO', 'Tempus Norge');
    token = await takt('token', 'create', '--database', 'TEM-NO');
    publishing = await takt('token', 'create', '--database', 'TEM-NO', '--publish');
    await publish([structureVersion(7), ...operations(1, 100)]);
    await untilCounted(100);
    expect(await takt('audit')).to.match(/0 differences/);
    expect(await takt('status')).to.match(/^last commit +(?!unknown)/m);
  });

  it('lets the first person in by a code', async () => {
    const added = await takt('user', 'add', 'Nordmann', '--database', 'TEM-NO', '--role', 'administrator');
    const [, pid = ''] = /^pid (\d+)$/m.exec(added) ?? [];
    const address = await takt('open', '--user', pid);
    expect(address).to.match(/^http:\/\/127\.0\.0\.1:3000\/open\?code=/);
    const opened = await fetch(address, { redirect: 'manual' });
    expect(opened.status).to.be.oneOf([200, 303]);
  });

  it('runs every container with exactly the rights of compose.yaml', async () => {
    const found = await containers();
    expect(new Set(found.map(serviceOf))).to.deep.equal(new Set(services));
    const declared: Readonly<Record<string, ComposeService>> = readCompose().services;
    for (const container of found) {
      const name = serviceOf(container);
      const { HostConfig: host, Config: config } = container;
      const { user, init = true } = declared[name] ?? {};
      expect(host.ReadonlyRootfs, name).to.equal(true);
      expect(host.CapDrop, name).to.deep.equal(['ALL']);
      expect(host.CapAdd ?? [], name).to.deep.equal([]);
      expect(host.SecurityOpt, name).to.deep.equal(['no-new-privileges:true']);
      expect(host.Init, name).to.equal(init);
      expect(host.Memory, name).to.be.above(0);
      expect(host.PidsLimit, name).to.be.above(0);
      if (!FROM_A_REGISTRY_ONLY.includes(name)) {
        const isApp = APPS.includes(name) || name === 'takt';
        expect(config.User, name).to.equal(isApp ? '65532:65532' : user);
      }
    }
  });

  it('stops everything with exit code 0, and loses no acknowledged event', async () => {
    await compose('stop', 'worker');
    await publish(operations(101, 400));
    await compose('stop');
    for (const container of await containers()) {
      const { ExitCode: exitCode, Status: status, OOMKilled: isOutOfMemory } = container.State;
      expect({ status, exitCode, isOutOfMemory }, container.Name).to.deep.equal({
        ...{ status: 'exited', exitCode: 0, isOutOfMemory: false },
      });
    }
    await up();
    await untilReady();
    await untilCounted(500);
    expect(await takt('audit')).to.match(/0 differences/);
    const log = await compose('logs', '--no-color', 'postgres');
    expect(log)
      .to.include('database system is shut down')
      .and.not.match(/not properly shut down|recovery in progress/);
    expect(await compose('logs', '--no-color', 'redis')).to.include('ready to exit');
  });

  it('gives new passwords to the owner and to the apps while it runs', async () => {
    for (const name of ['owner', ...APPS]) {
      await run('./secrets.sh', ['renew', name], { cwd: dockerPath('.'), env: environment });
    }
    await compose('up', '--detach', '--no-build', '--force-recreate', ...services);
    await untilReady();
    await publish(operations(501, 10));
    await untilCounted(510);
    expect(await takt('audit')).to.match(/0 differences/);
  });
});

/** Finds a program that runs Compose. Throws an error if there is none: this suite has nothing to test then. */
async function findEngine(): Promise<string> {
  for (const name of ['docker', 'podman']) {
    const found = await run(name, ['compose', 'version']).catch(() => undefined);
    if (found !== undefined) return name;
  }
  throw new Error('npm run test:images needs docker or podman, with compose');
}

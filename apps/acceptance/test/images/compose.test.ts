import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { completion, structureVersion, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type ComposeService, dockerPath, readCompose } from '../support/compose.js';

const run = promisify(execFile);
const { TAKT_IMAGES_BUILT, TAKT_REQUIRE_ALL } = process.env;
/** Pulling these fails where there is no registry of images. The rest of Takt runs without them. */
const FROM_A_REGISTRY_ONLY = ['prometheus', 'grafana'];
const APPS = ['api', 'dashboard', 'intake', 'worker'];
/** The address of the proxy. */
const TAKT = 'http://127.0.0.1:8080';
const FIGURES = '/product/structure-versions/7/aggregated-production-times?$format=json';
const DEADLINE_MS = 240_000;
/** Compose ends the old container before it starts the new one, which is ready after a second or two. */
const MAX_OUTAGE_MS = 30_000;

interface Container {
  readonly Name: string;
  readonly Config: {
    readonly User: string;
    readonly Image: string;
    readonly Labels: Readonly<Record<string, string>>;
  };
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

/** A running compose.yaml, with secrets of its own. */
interface System {
  readonly services: readonly string[];
  readonly compose: (...args: readonly string[]) => Promise<string>;
  /** Runs secrets.sh. */
  readonly secrets: (...args: readonly string[]) => Promise<void>;
  /** Runs a command of takt as the owner of the database. */
  readonly takt: (...args: readonly string[]) => Promise<string>;
  /** Starts or replaces services; by default all. */
  readonly up: (...args: readonly string[]) => Promise<string>;
  readonly untilReady: () => Promise<void>;
  readonly containers: () => Promise<readonly Container[]>;
  /** Registers a company, and makes tokens to publish and to read. */
  readonly addCompany: () => Promise<void>;
  /** Publishes events, and expects that they are acknowledged. */
  readonly publish: (events: readonly object[]) => Promise<void>;
  readonly readFigures: () => Promise<Response>;
  readonly untilCounted: (operations: number) => Promise<void>;
  /** Uses the images of another version for what starts from now on. */
  readonly useVersion: (version: string) => void;
  readonly close: () => Promise<void>;
}

/** Prepares compose.yaml with the images of a version. Nothing runs yet. */
async function openSystem(version: string | undefined): Promise<System> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-secrets-'));
  const environment: NodeJS.ProcessEnv = {
    ...{ ...process.env, COMPOSE_PROJECT_NAME: 'takt-test', TAKT_SECRETS: folder },
    ...(version !== undefined && { TAKT_VERSION: version }),
  };
  const options = { cwd: dockerPath('.'), env: environment, maxBuffer: 50_000_000 };
  const engine = await findEngine();
  const docker = async (...args: readonly string[]) => {
    const done = await run(engine, args, options).catch((error: { stdout?: string; stderr?: string }) => {
      throw new Error(`${engine} ${args.join(' ')}: ${error.stderr ?? ''}${error.stdout ?? String(error)}`);
    });
    return done.stdout;
  };
  const compose = (...args: readonly string[]) => docker('compose', ...args);
  const secrets = async (...args: readonly string[]) => void (await run('./secrets.sh', args, options));
  await secrets();
  const services = await findServices(compose);
  if (TAKT_IMAGES_BUILT === undefined) await compose('build');
  const takt = async (...args: readonly string[]) =>
    (await compose('run', '--rm', '--no-TTY', '--no-deps', 'takt', ...args)).trim();
  let [token, publishing] = ['', ''];
  const readFigures = () => fetch(TAKT + FIGURES, { headers: { authorization: `Bearer ${token}` } });
  const countCompleted = async (): Promise<number> => {
    const text = await (await readFigures()).text();
    return Number(/"numberOfCompletedProductionWorkOrders":\s*"?(\d+)/.exec(text)?.[1]);
  };
  return {
    ...{ services, compose, secrets, takt, readFigures },
    up: (...args) => compose('up', '--detach', '--no-build', ...(args.length > 0 ? args : services)),
    untilReady: async () => {
      // The intake and the dashboard refuse these requests; the proxy answers for an app that is not ready.
      for (const [path, expected] of [
        ['/health/ready', 200],
        ['/events', 404],
        ['/operations', 403],
      ] as const) {
        const isReady = () =>
          fetch(TAKT + path).then(
            ({ status }) => status === expected,
            () => false,
          );
        await waitUntil(`${path} is answered`, isReady, DEADLINE_MS);
      }
    },
    containers: async () => {
      const ids = (await compose('ps', '--all', '--quiet')).trim().split('\n');
      return JSON.parse(await docker('inspect', ...ids));
    },
    addCompany: async () => {
      await takt('company', 'add', 'TEM-NO', 'Tempus Norge');
      token = await takt('token', 'create', '--database', 'TEM-NO');
      publishing = await takt('token', 'create', '--database', 'TEM-NO', '--publish');
    },
    publish: async (events) => {
      const { status } = await fetch(`${TAKT}/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${publishing}`,
          'content-type': 'application/cloudevents-batch+json',
        },
        body: JSON.stringify(events),
      });
      expect(status).to.equal(202);
    },
    untilCounted: (count) =>
      waitUntil(
        `${count} operations are counted`,
        async () => (await countCompleted()) === count,
        DEADLINE_MS,
      ),
    useVersion: (next) => {
      environment['TAKT_VERSION'] = next;
    },
    close: async () => {
      await compose('down', '--volumes', '--timeout', '30');
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Finds the services whose images are there or can be pulled. */
async function findServices(compose: System['compose']): Promise<readonly string[]> {
  const all = (await compose('config', '--services')).trim().split('\n');
  const isAway = (name: string) =>
    compose('pull', '--policy', 'missing', name).then(
      () => false,
      () => true,
    );
  const away: string[] = [];
  for (const name of FROM_A_REGISTRY_ONLY) if (await isAway(name)) away.push(name);
  if (away.length === 0) return all;
  if (TAKT_REQUIRE_ALL !== undefined) throw new Error(`no image of ${away.join(' and ')}`);
  console.error(`LEFT OUT: ${away.join(' and ')}, whose images cannot be pulled`);
  return all.filter((name) => !away.includes(name));
}

const operations = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => completion(from + index));
const serviceOf = ({ Config: { Labels } }: Container) => Labels['com.docker.compose.service'] ?? '';

/**
 * Builds the images and runs docker/compose.yaml as it is, with docker or podman, on the ports of compose.yaml. Compose
 * also reads COMPOSE_FILE, so a machine with a network of its own may add a file that changes the network. With
 * TAKT_IMAGES_BUILT=true, the images of TAKT_VERSION are there already.
 */
describe('docker compose', function () {
  this.timeout(1_800_000);
  let system: System;

  before(async () => {
    system = await openSystem(process.env['TAKT_VERSION']);
  });
  after(() => system?.close());

  it('starts everything from nothing, and takes an event to its figure', async () => {
    const { up, untilReady, addCompany, publish, untilCounted, takt } = system;
    await up();
    await untilReady();
    await addCompany();
    await publish([structureVersion(7), ...operations(1, 100)]);
    await untilCounted(100);
    expect(await takt('audit')).to.match(/0 differences/);
    expect(await takt('status')).to.match(/^last commit +\d/m);
  });

  it('lets the first person register by an address that it prints', async () => {
    const { takt } = system;
    const address = await takt('open');
    expect(address).to.match(/^http:\/\/127\.0\.0\.1:8080\/operations\/set-up\?code=/);
    const form = new URLSearchParams({
      name: 'Nordmann',
      company: 'TEM-NO',
      companyName: 'Tempus Norge',
      timeZone: 'Europe/Oslo',
      password: 'correct horse battery',
    });
    const code = new URL(address).searchParams.get('code') ?? '';
    const begin = { method: 'POST', body: new URLSearchParams({ code }), redirect: 'manual' } as const;
    const { headers } = await fetch(address, begin);
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
    const sent = { method: 'POST', body: form, headers: { cookie } };
    const registered = await fetch(headers.get('location') ?? '', sent);
    expect([registered.status, (await registered.text()).includes('1001')]).to.deep.equal([200, true]);
    const opening = await takt('open');
    expect(opening).to.match(/^http:\/\/127\.0\.0\.1:8080\/open\?code=/);
    expect((await fetch(opening, { redirect: 'manual' })).status).to.be.oneOf([200, 303]);
  });

  it('runs every container with exactly the rights of compose.yaml', async () => {
    const found = await system.containers();
    expect(new Set(found.map(serviceOf))).to.deep.equal(new Set(system.services));
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
    const { compose, publish, containers, up, untilReady, untilCounted, takt } = system;
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
    const { secrets, up, services, untilReady, publish, untilCounted, takt } = system;
    for (const name of ['owner', ...APPS]) await secrets('renew', name);
    await up('--force-recreate', ...services);
    await untilReady();
    await publish(operations(501, 10));
    await untilCounted(510);
    expect(await takt('audit')).to.match(/0 differences/);
  });
});

/** Takes the steps of docs/operating/upgrade.md under load, from the images of TAKT_PREVIOUS_VERSION. */
describe('an upgrade by docker compose', function () {
  this.timeout(1_800_000);
  let system: System;
  const { TAKT_PREVIOUS_VERSION: previous, TAKT_VERSION: next = 'unreleased' } = process.env;

  before(async function () {
    if (previous === undefined) {
      console.error('LEFT OUT: the upgrade, which needs the images of TAKT_PREVIOUS_VERSION');
      this.skip();
    }
    system = await openSystem(previous);
  });
  after(() => system?.close());

  it('loses no event, and answers every request that is sent again', async () => {
    const { up, untilReady, addCompany, publish, untilCounted, compose, takt } = system;
    await up();
    await untilReady();
    await addCompany();
    await publish([structureVersion(7), ...operations(1, 100)]);
    await untilCounted(100);
    const load = startLoad(system, 101);
    system.useVersion(next);
    // Ends with the migration and its exit code; compose wait fails if the migration has ended before.
    await compose('up', '--no-build', '--no-deps', '--exit-code-from', 'takt', 'takt');
    for (const service of ['worker', 'intake', 'api', 'dashboard']) {
      await up('--no-deps', service);
      await untilReady();
    }
    const { published, refused, longestMs } = await load.end();
    console.info(
      `      ${published} events during the upgrade; ${refused} requests sent again, the longest for ${longestMs} ms`,
    );
    await untilCounted(100 + published);
    expect(await takt('audit')).to.match(/0 differences/);
    const images = (await system.containers()).map(({ Config: { Image } }) => Image);
    expect(images.filter((image) => image.startsWith('takt-') && !image.endsWith(`:${next}`))).to.deep.equal(
      [],
    );
    expect(longestMs).to.be.below(MAX_OUTAGE_MS);
  });
});

/** Publishes and reads without pause. Sends a request again until it is answered, as every client has to. */
function startLoad({ publish, readFigures }: System, from: number) {
  let [published, refused, longestMs] = [0, 0, 0];
  const ending = new AbortController();
  const untilDone = async (ask: () => Promise<unknown>) => {
    const startedAt = performance.now();
    for (;;) {
      const isDone = await ask().then(
        () => true,
        () => false,
      );
      if (isDone) break;
      refused += 1;
      await setTimeout(50);
    }
    longestMs = Math.max(longestMs, Math.round(performance.now() - startedAt));
  };
  const publishAll = async () => {
    for (; !ending.signal.aborted; published += 20) {
      const events = operations(from + published, 20);
      await untilDone(() => publish(events));
    }
  };
  const readAll = async () => {
    while (!ending.signal.aborted) {
      await untilDone(async () => expect((await readFigures()).status).to.equal(200));
    }
  };
  const ended = Promise.all([publishAll(), readAll()]);
  return {
    end: async () => {
      ending.abort();
      await ended;
      return { published, refused, longestMs };
    },
  };
}

/** Finds a program that runs Compose. Throws an error if there is none: this suite has nothing to test then. */
async function findEngine(): Promise<string> {
  for (const name of ['docker', 'podman']) {
    const found = await run(name, ['compose', 'version']).catch(() => undefined);
    if (found !== undefined) return name;
  }
  throw new Error('npm run test:images needs docker or podman, with compose');
}

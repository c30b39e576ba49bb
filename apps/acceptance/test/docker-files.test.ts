import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { appNames } from '@takt/database';
import { checkQueueDurability } from '@takt/events/internal';
import { needsProgram, startTestRedis, type TestRedis } from '@takt/test-support';
import { expect } from 'chai';
import { validate } from 'dockerfile-utils';
import { parse, parseAllDocuments } from 'yaml';
import { type Compose, type ComposeService, dockerPath, readCompose } from './support/compose.js';
import {
  findComposeFaults,
  findManifestFaults,
  type KubernetesObject,
} from './support/deployment-schemas.js';
import { DOCKERFILE, readImages, readStages } from './support/dockerfile.js';

describe('the Dockerfile', () => {
  it('passes its linter', () => {
    expect(validate(readFileSync(DOCKERFILE, 'utf8'))).to.deep.equal([]);
  });

  it('runs the program of each app directly and as a numeric user', () => {
    for (const { app, entrypoint, user } of readImages()) {
      expect(user).to.match(/^[1-9]\d{4}:[1-9]\d{4}$/);
      expect(entrypoint).to.have.lengthOf(1);
      expect(entrypoint[0]).to.match(new RegExp(`^/takt/apps/${app}/bin/takt(-${app})?\\.js$`));
    }
  });

  it('has a readiness check for every app that serves HTTP', () => {
    const unasked = readImages().filter(({ healthcheck }) => healthcheck === undefined);
    expect(unasked.map(({ app }) => app)).to.deep.equal(['cli']);
  });

  it('ignores all files of the checkout by default, and copies only installed apps into the images', () => {
    const [first] = readFileSync(dockerPath('Dockerfile.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => !line.startsWith('#'));
    expect(first).to.equal('*');
    const copies = readStages().flatMap(({ name, instructions }) =>
      instructions.filter(({ keyword }) => keyword === 'COPY').map(({ text }) => `${name}: ${text}`),
    );
    const ofImages = readImages().map(({ app }) => `${app}: --from=installed-${app} /takt /takt`);
    expect(copies).to.deep.equal(['build: . .', ...ofImages]);
  });
});

describe('compose.yaml', () => {
  const compose = readCompose();
  const services = Object.entries(compose.services);
  const ours = services.filter(([, { build }]) => build !== undefined);

  for (const file of ['compose.yaml', 'compose.cluster.yaml']) {
    it(`is valid by the Compose Specification: ${file}`, () => {
      expect(findComposeFaults(readCompose(file))).to.deep.equal([]);
      expect(findComposeFaults({ ...readCompose(file), volums: {} })).to.have.length(1);
    });

    it(`pins the version of each image: ${file}`, () => {
      expect(readCompose(file)).not.to.have.property('version');
      for (const [service, { image }] of servicesOf(file)) {
        expect(image, service).to.match(/^[a-z0-9./-]+:(?!latest)[\w.-]+(?:@sha256:[0-9a-f]{64})?$/);
      }
    });
  }

  it('gives every service a read-only file system, limits and no additional privileges', () => {
    for (const name of ['compose.yaml', 'compose.cluster.yaml']) {
      for (const [service, given] of servicesOf(name)) {
        expect(given.read_only, service).to.equal(true);
        expect(given.cap_drop, service).to.deep.equal(['ALL']);
        expect(given.security_opt, service).to.deep.equal(['no-new-privileges:true']);
        expect(given, service).not.to.have.property('cap_add');
        // A limit of more processors than the machine has would stop docker compose up.
        expect(given.deploy.resources.limits, service).to.have.all.keys('memory', 'pids');
      }
    }
  });

  it('publishes ports only for the proxy and Grafana, and only to this machine unless a site says otherwise', () => {
    const published = services.filter(([, { ports }]) => ports !== undefined);
    expect(published.map(([name]) => name)).to.deep.equal(['grafana', 'proxy']);
    for (const [name, { ports = [], networks }] of services) {
      for (const port of ports)
        expect(port, name).to.match(/^(?:127\.0\.0\.1|\$\{TAKT_PUBLISH:-127\.0\.0\.1\}):\d+:\d+$/);
      expect(networks.includes('published'), name).to.equal(ports.length > 0);
    }
    const open = Object.entries(compose.networks ?? {}).filter(([, network]) => network.internal !== true);
    expect(open.map(([name]) => name)).to.deep.equal(['outside', 'published']);
    // The dashboard calls the webhook of alarms.
    const outside = services.filter(([, { networks }]) => networks.includes('outside'));
    expect(outside.map(([name]) => name)).to.deep.equal(['dashboard']);
  });

  it('gives the proxy the addresses of the apps, and lets each app trust the proxy alone', () => {
    const { environment = {}, networks } = compose.services['proxy'] ?? {};
    for (const [app, setting] of [
      ['api', 'TAKT_API'],
      ['intake', 'TAKT_INTAKE'],
      ['dashboard', 'TAKT_DASHBOARD'],
    ] as const) {
      const check = readImages()
        .find((image) => image.app === app)
        ?.healthcheck?.join(' ');
      const [host, port] = (environment[setting] ?? '').split(':');
      expect(host).to.equal(app);
      expect(check, app).to.include(`/dev/tcp/127.0.0.1/${port} `);
      expect(compose.services[app]?.networks, app).to.include('front');
      const subnet = compose.services[app]?.environment?.['TRUSTED_PROXIES'];
      expect(compose.networks?.['front'], app).to.deep.equal({
        ...{ internal: true, ipam: { config: [{ subnet }] } },
      });
    }
    expect(networks).to.include('front');
    const config = readFileSync(dockerPath('haproxy/haproxy.cfg'), 'utf8');
    for (const name of Object.keys(environment)) expect(config, name).to.include(name);
  });

  it('runs each app from its image, after the migration and with its own password', () => {
    const targets = readImages().map(({ app }) => app);
    expect(ours.map(([, { build }]) => build?.target)).to.have.members(targets);
    for (const [name, { secrets, depends_on: after, environment = {} }] of ours) {
      if (name === 'takt') continue;
      expect(secrets, name).to.deep.equal([name]);
      expect(environment, name).to.include({
        DATABASE_URL: `postgres://takt_${name}_login@postgres:5432/takt`,
        DATABASE_PASSWORD_FILE: `/run/secrets/${name}`,
      });
      expect(after?.['takt'], name).to.deep.equal({ condition: 'service_completed_successfully' });
    }
    const given = compose.services['takt']?.secrets ?? [];
    expect(given).to.include('owner');
    const named = ours.map(([name]) => name).filter((name) => name !== 'takt');
    expect(given).to.include.members(named);
    expect(appNames).to.include.members(named);
  });

  it('mounts only existing files, and waits until all services with a health check are healthy', () => {
    for (const [name, { volumes = [], depends_on: after = {} }] of services) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        const isThere = source.startsWith('./')
          ? existsSync(dockerPath(source))
          : source in (compose.volumes ?? {});
        expect(isThere, `${name}: ${source}`).to.equal(true);
      }
      for (const [other, { condition }] of Object.entries(after)) {
        const waitsForHealth = condition === 'service_healthy';
        expect(compose.services[other]?.healthcheck !== undefined, `${name}: ${other}`).to.equal(
          waitsForHealth,
        );
      }
    }
  });

  it('makes Prometheus scrape every app at its port', () => {
    const { scrape_configs: jobs } = parse(readFileSync(dockerPath('prometheus/prometheus.yml'), 'utf8'));
    const watched = jobs.map((job: { readonly dns_sd_configs: readonly Watched[] }) => job.dns_sd_configs[0]);
    const served = readImages().filter(({ healthcheck }) => healthcheck !== undefined);
    expect(watched.flatMap(({ names }: Watched) => names)).to.have.members(served.map(({ app }) => app));
    for (const { names, port } of watched as readonly Watched[]) {
      const image = served.find(({ app }) => app === names[0]);
      expect(image?.healthcheck?.join(' '), names[0]).to.include(`/dev/tcp/127.0.0.1/${port} `);
      expect(compose.services[names[0] ?? '']?.networks, names[0]).to.include('watched');
    }
  });

  it("starts a Redis that passes Takt's checks", async function () {
    needsProgram(this, 'redis-server');
    const [program, ...args] = compose.services['redis']?.command ?? [];
    expect(program).to.equal('redis-server');
    const redis = await startTestRedis(args);
    try {
      expect(await checkQueueDurability(redis.url)).to.deep.equal([]);
    } finally {
      await redis.close();
    }
  });

  it('joins three nodes into a Redis Cluster that passes the checks of Takt, and does not change an existing cluster', async function () {
    needsProgram(this, 'redis-server');
    const { services: cluster } = readCompose('compose.cluster.yaml');
    const nodes: TestRedis[] = [];
    try {
      for (const name of ['redis', 'redis-2', 'redis-3']) {
        const [, program, ...args] = cluster[name]?.entrypoint ?? [];
        expect(program).to.equal('redis-server');
        nodes.push(await startNode([...args, '--cluster-announce-hostname', 'localhost']));
      }
      const [first, second, third] = nodes.map(({ port }) => port);
      const [shell = '', ...options] = cluster['redis-cluster']?.entrypoint ?? [];
      const script = (cluster['redis-cluster']?.command?.[0] ?? '')
        .replaceAll('$$', '$')
        .replaceAll('-h redis ', `-p ${first} `)
        .replace('"$(address redis):6379"', `127.0.0.1:${first}`)
        .replace('"$(address redis-2):6379"', `127.0.0.1:${second}`)
        .replace('"$(address redis-3):6379"', `127.0.0.1:${third}`);
      expect(execFileSync(shell, [...options, script], { encoding: 'utf8' })).to.include(
        'All 16384 slots covered',
      );
      expect(execFileSync(shell, [...options, script], { encoding: 'utf8' })).to.equal('');
      const url = `redis://${nodes.map(({ port }) => `localhost:${port}`).join()}`;
      expect(await checkQueueDurability(url)).to.deep.equal([]);
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
    }
  });

  it('gives each node of the Redis Cluster its own name and the options of the single Redis', () => {
    const cluster = readCompose('compose.cluster.yaml').services;
    const nodes = ['redis', 'redis-2', 'redis-3'];
    for (const name of nodes) {
      const node = cluster[name] as ComposeService;
      const words = compose.services['redis']?.command ?? [];
      expect(node.entrypoint?.slice(0, words.length + 1), name).to.deep.equal([
        'docker-entrypoint.sh',
        ...words,
      ]);
      expect(node.command, name).to.deep.equal(['--cluster-announce-hostname', name]);
    }
    const url = `redis://${nodes.map((name) => `${name}:6379`).join()}`;
    const users = services.filter(([, { environment }]) => environment?.['QUEUE_URL'] !== undefined);
    for (const [name] of users) expect(cluster[name]?.environment, name).to.include({ QUEUE_URL: url });
  });
});

interface Watched {
  readonly names: readonly string[];
  readonly port: number;
}

/** Returns the services that a file defines. Leaves out services that the file only changes. */
function servicesOf(name: string): readonly (readonly [string, ComposeService])[] {
  const services: Compose['services'] = readCompose(name).services;
  return Object.entries(services).filter(([, { image }]) => image !== undefined);
}

describe('the Kubernetes manifests', () => {
  const folder = dockerPath('kubernetes');
  const files = readdirSync(folder).filter((name) => name !== 'kustomization.yaml');
  const objects = files.flatMap((file) =>
    parseAllDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => ({
      file,
      object: document.toJS() as KubernetesObject,
    })),
  );

  it('conform to the schemas of Kubernetes', async () => {
    const named = Object.fromEntries(
      objects.map(({ file, object }) => [`${file}, ${object.kind} ${object.metadata.name}`, object] as const),
    );
    const [deployment] = objects.map(({ object }) => object).filter(({ kind }) => kind === 'Deployment');
    const { spec, ...others } = deployment ?? { apiVersion: '', kind: '', metadata: { name: '' } };
    const wrong = {
      'an unknown field': { ...others, spec: { ...spec, replica: 1 } },
      'a wrong type': { ...others, spec: { ...spec, replicas: '1' } },
      'a missing field': { ...others, spec: { replicas: 1 } },
      'an unknown label': { ...others, metadata: { ...others.metadata, label: {} }, spec: spec ?? {} },
    };
    const faults = await findManifestFaults({ ...named, ...wrong });
    for (const name of Object.keys(named)) expect(faults.get(name), name).to.deep.equal([]);
    for (const name of Object.keys(wrong)) expect(faults.get(name), name).to.have.length(1);
  });

  it('write quantities in the format of Kubernetes', () => {
    const amounts = pods.flatMap(({ spec }) =>
      spec.containers.flatMap(({ resources }) =>
        [resources.requests, resources.limits].flatMap((one) => Object.values(one ?? {})),
      ),
    );
    expect(amounts).not.to.have.length(0);
    for (const amount of amounts) expect(String(amount)).to.match(/^\d+(?:\.\d+)?(?:m|[kMGTPE]i?)?$/);
  });

  it('are all part of kubectl apply -k', () => {
    const [list] = parseAllDocuments(readFileSync(join(folder, 'kustomization.yaml'), 'utf8'));
    expect(list?.toJS()).to.have.property('resources').that.has.members(files);
  });

  const pods = objects.flatMap(({ object }) => {
    const template = object.spec?.['template'] as { readonly spec: PodSpec } | undefined;
    return template === undefined ? [] : [{ name: object.metadata.name, spec: template.spec }];
  });

  it('have the same services, users and privileges as compose.yaml', () => {
    expect(pods.map(({ name }) => name)).to.have.members(['migrate', 'worker', 'api', 'dashboard', 'intake']);
    const { services } = readCompose();
    for (const { name, spec } of pods) {
      const [container] = spec.containers;
      const service = services[name === 'migrate' ? 'takt' : name];
      expect(`${container?.image}:`, name).to.equal(service?.image.replace(/[^:]*$/, ''));
      expect(container?.args ?? [], name).to.deep.equal(service?.command ?? []);
      expect(spec.securityContext, name).to.include({
        runAsNonRoot: true,
        runAsUser: 65532,
        runAsGroup: 65532,
      });
      expect(spec.automountServiceAccountToken, name).to.equal(false);
      expect(container?.securityContext, name).to.deep.equal({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const named = Object.keys(service?.environment ?? {}).filter(
        (variable) => variable !== 'POSTGRES_PASSWORD',
      );
      expect(
        container?.env.map((variable) => variable.name),
        name,
      ).to.include.members(named);
      const [volume] = spec.volumes;
      if (name !== 'migrate') expect(volume?.secret.items, name).to.deep.equal([{ key: name, path: name }]);
    }
  });

  it('check the liveness and the readiness of each app at its port', () => {
    for (const { name, spec } of pods.filter((pod) => pod.name !== 'migrate')) {
      const [container] = spec.containers;
      const healthcheck =
        readImages()
          .find(({ app }) => app === name)
          ?.healthcheck?.join(' ') ?? '';
      expect(container?.livenessProbe?.httpGet, name).to.deep.equal({ path: '/health/live', port: 'http' });
      expect(container?.readinessProbe?.httpGet, name).to.deep.equal({ path: '/health/ready', port: 'http' });
      expect(healthcheck, name).to.include(`/dev/tcp/127.0.0.1/${container?.ports?.[0]?.containerPort} `);
      expect(healthcheck, name).to.include('GET /health/ready ');
    }
  });
});

interface Probe {
  readonly httpGet: unknown;
}

interface PodSpec {
  readonly automountServiceAccountToken: boolean;
  readonly securityContext: object;
  readonly volumes: readonly { readonly secret: { readonly items?: unknown } }[];
  readonly containers: readonly {
    readonly image: string;
    readonly resources: Readonly<
      Record<'requests' | 'limits', Readonly<Record<string, unknown>> | undefined>
    >;
    readonly args?: readonly string[];
    readonly env: readonly { readonly name: string }[];
    readonly ports?: readonly { readonly containerPort: number }[];
    readonly securityContext: object;
    readonly livenessProbe?: Probe;
    readonly readinessProbe?: Probe;
  }[];
}

/**
 * Starts a node of a Redis Cluster, and tries other ports after a failure. A node also needs the port 10,000 above its
 * own port, and another process may use that port.
 */
async function startNode(args: readonly string[], attempts = 3): Promise<TestRedis> {
  try {
    return await startTestRedis(args);
  } catch (error) {
    if (attempts === 1) throw error;
    return await startNode(args, attempts - 1);
  }
}

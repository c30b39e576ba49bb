import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveSettings, SettingsError } from '@takt/run';
import { expect } from 'chai';

describe('resolveSettings', () => {
  it('returns the documented defaults for an empty environment', () => {
    expect(resolveSettings({})).to.deep.equal({
      databaseUrl: undefined,
      databaseReplicaUrl: undefined,
      maxReplicaLagMs: 10_000,
      queueUrl: undefined,
      home: '.takt',
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      dashboardPort: 3001,
      dashboardUrl: 'http://127.0.0.1:3001',
      workerPort: 3002,
      intakePort: 3003,
      logLevel: 'info',
      trustedProxies: [],
      requestsPerMinute: 60_000,
      keptAnswersBytes: 33_554_432,
      alarmRejectedPercent: 1,
      alarmWebhookUrl: undefined,
      alarmWebhookSecret: undefined,
      allowOwner: false,
      databasePooler: undefined,
      allowVolatileQueue: false,
      maxAheadMs: 86_400_000,
    });
  });

  it('reads exactly the variables that the reference lists', () => {
    const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
    const namesIn = (text: string, pattern: RegExp) =>
      [...text.matchAll(pattern)].map(([, name]) => name).sort();
    const documented = namesIn(read('docs/reference/settings.md'), /^\| `([A-Z_]+)`/gm);
    const source = read('packages/run/src/resolve-settings.ts');
    expect(documented).to.deep.equal(namesIn(source, /\bread(?:Database)?(?:<.+?>)?\(\s*'([A-Z_]+)'/g));
  });

  it('accepts IP addresses and host names as HOST, and puts IPv6 addresses in brackets in URLs', () => {
    for (const [host, origin] of [
      ['0.0.0.0', 'http://0.0.0.0:3000'],
      ['::1', 'http://[::1]:3000'],
      ['takt-1.example', 'http://takt-1.example:3000'],
    ] as const) {
      expect(resolveSettings({ HOST: host })).to.include({ host, baseUrl: origin });
    }
    for (const wrong of ['bad host', 'http://a', '-a', '[::1]', 'a/b']) {
      expect(() => resolveSettings({ HOST: wrong }), wrong).to.throw(
        /^HOST is .* must be an IP address or a host name$/,
      );
    }
  });

  it('rejects a base URL with a query or a fragment, because links begin with it', () => {
    for (const variable of ['BASE_URL', 'DASHBOARD_URL']) {
      for (const wrong of [
        'https://a.example/?b=1',
        'https://a.example/#b',
        'ftp://a.example',
        'a.example',
      ]) {
        expect(() => resolveSettings({ [variable]: wrong }), wrong).to.throw(`${variable} is `);
      }
    }
  });

  it('builds the base URL from HOST and PORT unless BASE_URL is set', () => {
    expect(resolveSettings({ HOST: 'erp', PORT: '80' }).baseUrl).to.equal('http://erp:80');
    expect(resolveSettings({ BASE_URL: 'https://takt.example/api/' }).baseUrl).to.equal(
      'https://takt.example/api',
    );
  });

  describe('with a file that contains a password', () => {
    let folder: string;
    const urlWith = (password: string, databaseUrl = 'postgres://takt_api_login@db/takt') => {
      const file = join(folder, 'password');
      writeFileSync(file, password);
      return resolveSettings({ DATABASE_URL: databaseUrl, DATABASE_PASSWORD_FILE: file }).databaseUrl;
    };
    before(() => {
      folder = mkdtempSync(join(tmpdir(), 'takt-settings-'));
    });
    after(() => rmSync(folder, { recursive: true }));

    it('inserts the password into the database URL, whatever it contains', () => {
      expect(urlWith('s3cret\n')).to.equal('postgres://takt_api_login:s3cret@db/takt');
      const odd = 'a:b@c/d?e#f%41 g';
      expect(decodeURIComponent(new URL(urlWith(odd) ?? '').password)).to.equal(odd);
    });

    it('inserts it into the URL of the replica too', () => {
      const file = join(folder, 'password');
      writeFileSync(file, 's3cret');
      const settings = resolveSettings({
        ...{ DATABASE_URL: 'postgres://a@db/takt', DATABASE_REPLICA_URL: 'postgres://a@replica/takt' },
        DATABASE_PASSWORD_FILE: file,
      });
      expect(settings.databaseReplicaUrl).to.equal('postgres://a:s3cret@replica/takt');
    });

    it('rejects an empty file, and a URL that cannot contain a password', () => {
      for (const text of ['', '\n', 'one\ntwo\n']) {
        expect(() => urlWith(text)).to.throw(
          SettingsError,
          /^DATABASE_PASSWORD_FILE is "[^"]+\/password", it must/,
        );
      }
      for (const url of ['', 'postgres://db/takt', 'postgres://a:b@db/takt', 'postgres:///takt?host=/run']) {
        expect(() => urlWith('s3cret', url)).to.throw(
          SettingsError,
          'DATABASE_PASSWORD_FILE needs a DATABASE_URL',
        );
      }
    });

    it('reports the name of a file that cannot be read, but not its content', () => {
      const environment = { DATABASE_URL: 'postgres://a@b/c', DATABASE_PASSWORD_FILE: '/nowhere/password' };
      expect(() => resolveSettings(environment)).to.throw('DATABASE_PASSWORD_FILE is "/nowhere/password"');
    });
  });

  it('accepts several Redis hosts, separated by commas', () => {
    const url = 'redis://a:7000,b:7001';
    expect(resolveSettings({ QUEUE_URL: url }).queueUrl).to.equal(url);
  });

  it('reports every wrong variable, with its value and the possible values', () => {
    const environment = {
      DATABASE_URL: 'mysql://x',
      PORT: '70000',
      LOG_LEVEL: 'loud',
      QUEUE_URL: 'amqp://x',
    };
    expect(() => resolveSettings(environment)).to.throw(
      SettingsError,
      /^DATABASE_URL is wrong, .*\nPORT is "70000", .*\nQUEUE_URL is wrong, .*\nLOG_LEVEL is "loud", .*$/,
    );
    expect(() => resolveSettings({ PORT: '-1' })).to.throw('PORT is "-1", it must be a port from 0 to 65535');
  });

  const WEB_URLS = ['BASE_URL', 'DASHBOARD_URL', 'ALARM_WEBHOOK_URL'];
  const URLS = [...WEB_URLS, 'DATABASE_URL', 'DATABASE_REPLICA_URL', 'QUEUE_URL'];
  const PORTS = ['PORT', 'DASHBOARD_PORT', 'WORKER_PORT', 'INTAKE_PORT'];

  it('rejects URLs that fetch refuses: those with a user or a password, and those with a blocked port', () => {
    for (const name of WEB_URLS) {
      for (const url of ['a:secret@h', 'a@h', ':secret@h', 'h:6000', 'h:10080/x', '[::1]:22', 'h:0']) {
        expect(() => resolveSettings({ [name]: `https://${url}` }), `${name} ${url}`).to.throw(
          SettingsError,
          `${name} is wrong, it must be an http:// or https:// URL without a user or a password, with a port`,
        );
      }
      expect(() => resolveSettings({ [name]: 'http://h:8080/a@b:c' })).not.to.throw();
    }
  });

  it('never shows the value of a URL, which may have a password', () => {
    for (const name of URLS) {
      for (const url of [
        'http://a:secret@h',
        'postgress://a:secret@h',
        'a:secret@h',
        'http://h?key=secret#',
      ]) {
        const environment = { [name]: name === 'ALARM_WEBHOOK_URL' ? `x${url}` : url };
        expect(() => resolveSettings(environment), `${name} ${url}`)
          .to.throw(SettingsError, `${name} is wrong`)
          .with.property('message')
          .that.does.not.include('secret');
      }
    }
  });

  it('rejects ports on which browsers and fetch do not connect', async () => {
    for (const name of PORTS) {
      for (const port of ['1', '22', '4190', '6000', '6667', '10080']) {
        expect(() => resolveSettings({ [name]: port }), `${name} ${port}`).to.throw(SettingsError, name);
      }
      expect(() => resolveSettings({ [name]: '8080' })).not.to.throw();
    }
  });

  it('knows the ports that fetch blocks', async () => {
    const isRefused = (port: number) => {
      try {
        return resolveSettings({ PORT: String(port) }) === undefined;
      } catch {
        return true;
      }
    };
    const refused = Array.from({ length: 65_535 }, (_, index) => index + 1).filter(isRefused);
    for (const port of refused) {
      const error = await fetch(`http://localhost:${port}/`).catch((cause: Error) => cause);
      expect(error).to.have.nested.property('cause.message', 'bad port');
    }
    expect(refused).to.have.lengthOf(82);
  });

  it('accepts a replica for reads, with its maximum lag', () => {
    const url = 'postgres://api:x@replica/takt';
    expect(resolveSettings({ DATABASE_REPLICA_URL: url }).databaseReplicaUrl).to.equal(url);
    expect(() => resolveSettings({ DATABASE_REPLICA_URL: 'redis://replica' })).to.throw(SettingsError);
    const lag = (text: string) => resolveSettings({ TAKT_MAX_REPLICA_LAG: text }).maxReplicaLagMs;
    expect([lag('2s'), lag('1m'), lag('60m')]).to.deep.equal([2_000, 60_000, 3_600_000]);
    for (const text of ['1s', '61m', '3601s', '10', '1h', '1.5s']) {
      expect(() => lag(text)).to.throw(SettingsError, `TAKT_MAX_REPLICA_LAG is "${text}"`);
    }
  });

  it('accepts a limit for the requests of a token, or no limit', () => {
    const requests = (text: string) => resolveSettings({ TAKT_REQUESTS_PER_MINUTE: text }).requestsPerMinute;
    expect([requests('0'), requests('600')]).to.deep.equal([0, 600]);
    expect(() => requests('-1')).to.throw(SettingsError, 'TAKT_REQUESTS_PER_MINUTE is "-1"');
  });

  it('accepts a limit for the memory of cached answers, or no cache', () => {
    const bytes = (text: string) => resolveSettings({ TAKT_KEPT_ANSWERS_MB: text }).keptAnswersBytes;
    expect([bytes(''), bytes('0'), bytes('64')]).to.deep.equal([33_554_432, 0, 67_108_864]);
    expect(() => bytes('4097')).to.throw(SettingsError, 'TAKT_KEPT_ANSWERS_MB is "4097"');
  });

  it('accepts addresses and ranges of trusted proxies, and rejects anything else', () => {
    const read = (text: string) => resolveSettings({ TRUSTED_PROXIES: text }).trustedProxies;
    expect(read('10.0.0.7, 192.168.0.0/16,fd00::/8,::1')).to.deep.equal([
      '10.0.0.7',
      '192.168.0.0/16',
      'fd00::/8',
      '::1',
    ]);
    expect(read('0.0.0.0/0')).to.deep.equal(['0.0.0.0/0']);
    const wrongs = [
      'proxy',
      '10.0.0',
      '10.0.0.0/33',
      '10.0.0.1/',
      '::1/129',
      'fe80::1%eth0',
      '10.0.0.1,',
      '*',
    ];
    for (const wrong of [...wrongs, '10.0.0.1 10.0.0.2', '10.0.0.0/255.0.0.0']) {
      expect(() => read(wrong), wrong).to.throw(
        SettingsError,
        `TRUSTED_PROXIES is ${JSON.stringify(wrong)}, it must be addresses and ranges`,
      );
    }
  });

  it('treats an empty variable like a missing one', () => {
    expect(resolveSettings({ PORT: '', TAKT_HOME: ' ' })).to.include({ port: 3000, home: '.takt' });
  });

  it('accepts every port, and both spellings of true and false', () => {
    expect(resolveSettings({ PORT: '65535', WORKER_PORT: '0' })).to.include({ port: 65_535, workerPort: 0 });
    expect(() => resolveSettings({ PORT: '65536' })).to.throw(SettingsError);
    for (const [text, value] of Object.entries({ true: true, 1: true, false: false, 0: false })) {
      expect(resolveSettings({ TAKT_ALLOW_VOLATILE_QUEUE: text }).allowVolatileQueue, text).to.equal(value);
    }
    expect(() => resolveSettings({ TAKT_ALLOW_VOLATILE_QUEUE: 'yes' })).to.throw(
      SettingsError,
      'true or false',
    );
  });
});

import { resolveSettings, SettingsError } from '@takt/runtime';
import { expect } from 'chai';

describe('resolveSettings', () => {
  it('gives the documented defaults for an empty environment', () => {
    expect(resolveSettings({})).to.deep.equal({
      databaseUrl: undefined,
      queueUrl: undefined,
      home: '.takt',
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      dashboardPort: 3001,
      workerPort: 3002,
      logLevel: 'info',
      connectionsPerAddress: 1_000,
      allowVolatileQueue: false,
    });
  });

  it('builds the base URL from HOST and PORT unless BASE_URL is given, without a slash at its end', () => {
    expect(resolveSettings({ HOST: 'erp', PORT: '80' }).baseUrl).to.equal('http://erp:80');
    expect(resolveSettings({ BASE_URL: 'https://takt.example/api/' }).baseUrl).to.equal(
      'https://takt.example/api',
    );
  });

  it('takes several Redis hosts between commas', () => {
    const url = 'redis://a:7000,b:7001';
    expect(resolveSettings({ QUEUE_URL: url }).queueUrl).to.equal(url);
  });

  it('names every wrong variable, what it holds and what it may hold', () => {
    const environment = {
      DATABASE_URL: 'mysql://x',
      PORT: '70000',
      LOG_LEVEL: 'loud',
      QUEUE_URL: 'amqp://x',
    };
    expect(() => resolveSettings(environment)).to.throw(
      SettingsError,
      /^PORT is .*\nDATABASE_URL is .*\nQUEUE_URL is .*\nLOG_LEVEL is .*$/,
    );
    expect(() => resolveSettings({ PORT: '-1' })).to.throw('PORT is "-1", it must be a port from 0 to 65535');
  });

  it('takes as many connections of one address as it is told, and at least one', () => {
    const read = (text: string) =>
      resolveSettings({ TAKT_CONNECTIONS_PER_ADDRESS: text }).connectionsPerAddress;
    expect(read('2000')).to.equal(2_000);
    for (const wrong of ['0', '-1', '2001', '1e3', 'all']) {
      expect(() => read(wrong)).to.throw(SettingsError, /^TAKT_CONNECTIONS_PER_ADDRESS is /);
    }
  });

  it('counts an empty variable as absent', () => {
    expect(resolveSettings({ PORT: '', TAKT_HOME: ' ' })).to.include({ port: 3000, home: '.takt' });
  });
});

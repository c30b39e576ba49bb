import { expect } from 'chai';
import { QueueUrlError } from '../src/index.js';
import { openQueueBackend } from '../src/internal.js';
import { parseQueueUrl } from '../src/queue/queue-url.js';
import { rejectionOf } from './support/rejection-of.js';

const plain = {
  store: 'redis',
  isCluster: false,
  tls: false,
  username: undefined,
  password: undefined,
  db: 0,
};

describe('the queue URL', () => {
  it('may name a single Redis server', () => {
    expect(parseQueueUrl('redis://localhost')).to.deep.equal({
      ...plain,
      hosts: [{ host: 'localhost', port: 6379 }],
    });
    expect(parseQueueUrl('redis://10.0.0.1:7000/3')).to.deep.equal({
      ...plain,
      hosts: [{ host: '10.0.0.1', port: 7000 }],
      db: 3,
    });
    expect(parseQueueUrl('redis://[::1]:7000/')).to.deep.equal({
      ...plain,
      hosts: [{ host: '::1', port: 7000 }],
    });
  });

  it('may require TLS, and may contain a user and a percent-encoded password', () => {
    expect(parseQueueUrl('rediss://takt:p%40ss%3Aword:x@queue.example')).to.deep.equal({
      ...plain,
      tls: true,
      hosts: [{ host: 'queue.example', port: 6379 }],
      username: 'takt',
      password: 'p@ss:word:x',
    });
    expect(parseQueueUrl('redis://:secret@localhost')).to.include({
      username: undefined,
      password: 'secret',
    });
  });

  it('may name several hosts of a Redis Cluster', () => {
    expect(parseQueueUrl('redis://:x@a:1,b,[::2]:3')).to.deep.equal({
      ...plain,
      isCluster: true,
      password: 'x',
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: 6379 },
        { host: '::2', port: 3 },
      ],
    });
  });

  it('may name a PostgreSQL database and the options of its sessions', () => {
    expect(parseQueueUrl('postgresql://u:p@h:1/d?sslmode=require')).to.deep.equal({
      store: 'postgres',
      connectionString: 'postgresql://u:p@h:1/d?sslmode=require',
      options: '',
    });
    expect(parseQueueUrl('postgres://h/d?options=-c%20role%3Dx&sslmode=disable')).to.deep.equal({
      store: 'postgres',
      connectionString: 'postgres://h/d?sslmode=disable',
      options: '-c role=x',
    });
  });

  it('is rejected in any other form, with an error that does not contain the password', () => {
    const wrong = [
      ...[
        '',
        'localhost',
        'http://u:secret@h',
        'redis:/h',
        'redis://',
        'redis://u:secret@',
        'redis://h:x',
        'redis://h:99999',
      ],
      ...[
        'redis://h/x',
        'redis://h?db=1',
        'redis://a,b/1',
        'redis://a,,b',
        'redis://u:%zzsecret@h',
        'redis://u:se/cret@h',
      ],
      ...['postgres://u:secret@h:port/d', ' redis://h'],
    ];
    for (const url of wrong) {
      try {
        parseQueueUrl(url);
        expect.fail(`accepted ${url}`);
      } catch (error) {
        expect(error, url).to.be.instanceOf(QueueUrlError);
        expect(String(error)).not.to.match(/se\/?cret/);
      }
    }
  });

  it('prevents the queue from opening if the URL is wrong', async () => {
    const error = await rejectionOf(openQueueBackend('amqp://h', { onError: () => undefined }));
    expect(error).to.be.instanceOf(QueueUrlError);
  });
});

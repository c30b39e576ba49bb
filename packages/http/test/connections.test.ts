import { once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Connections, type ShedReason } from '../src/connections.js';
import { defaultHttpLimits, type HttpLimits } from '../src/limits.js';
import { TimeSlices } from '../src/time-slices.js';

const PROXY = '192.0.2.99';

/** Opens connections without clients. The test decides how much memory the requests use. */
function openConnections(limits: Partial<HttpLimits>) {
  const shed: ShedReason[] = [];
  const connections = new Connections({
    limits: { ...defaultHttpLimits, ...limits },
    slices: new TimeSlices(),
    isProxy: (address) => address === PROXY,
    onShed: (reason) => shed.push(reason),
    onTooManyHeaders: () => undefined,
  });
  const connect = (address = '192.0.2.1') => {
    const socket = Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
    connections.connect(socket);
    return socket;
  };
  const begin = (socket: Socket) => {
    const request = Object.assign(new IncomingMessage(socket), { complete: true });
    const response = new ServerResponse(request);
    connections.begin(request, response, () => undefined);
    return { response, hold: (bytes: number) => connections.hold(request, bytes) };
  };
  return { connect, begin, shed };
}

const close = async (socket: Socket) => {
  const closed = once(socket, 'close');
  socket.destroy();
  await closed;
};

const areDestroyed = (...sockets: readonly Socket[]) => sockets.map(({ destroyed }) => destroyed);

describe('The memory that connections use', () => {
  it('is freed by closing the connection that has used much memory for the longest time', async () => {
    const { connect, begin, shed } = openConnections({ maxHeldBytes: 100_000 });
    const [lasting, fresh] = [connect(), connect()];
    const held = begin(lasting);
    held.hold(30_000);
    await pause(400);
    held.hold(1);
    begin(fresh).hold(60_000);
    expect(areDestroyed(lasting, fresh)).to.deep.equal([true, false]);
    expect(shed).to.deep.equal(['bytes']);
  });

  it('does not include a finished answer', () => {
    const { connect, begin, shed } = openConnections({ maxHeldBytes: 100_000 });
    const socket = connect();
    for (let round = 0; round < 5; round += 1) {
      const { response, hold } = begin(socket);
      hold(60_000);
      response.emit('close');
    }
    expect(shed).to.deep.equal([]);
  });

  it('does not include a closed connection and its waiting requests', async () => {
    const { connect, begin, shed } = openConnections({ maxHeldBytes: 100_000 });
    for (let round = 0; round < 5; round += 1) {
      const socket = connect();
      for (let count = 0; count < 8; count += 1) begin(socket);
      await close(socket);
    }
    begin(connect()).hold(60_000);
    expect(shed).to.deep.equal([]);
  });

  it('is limited for one address to three quarters of the maximum', async () => {
    const { connect, begin, shed } = openConnections({ maxHeldBytes: 100_000 });
    const [slow, first, second] = [connect('192.0.2.2'), connect(), connect()];
    begin(slow).hold(1);
    await pause(200);
    begin(first).hold(40_000);
    begin(second).hold(20_000);
    expect(areDestroyed(slow, first, second)).to.deep.equal([false, true, false]);
    expect(shed).to.deep.equal(['bytes']);
  });
});

describe('The number of connections', () => {
  it('of an address includes only open connections', async () => {
    const { connect, shed } = openConnections({ maxConnectionsPerAddress: 3 });
    for (const socket of [connect(), connect(), connect()].slice(0, 2)) await close(socket);
    connect();
    connect();
    expect(shed).to.deep.equal([]);
    connect();
    expect(shed).to.deep.equal(['address']);
  });

  it('of an address has no effect on the connections of other addresses', () => {
    const { connect, shed } = openConnections({ maxConnectionsPerAddress: 2 });
    const other = connect('192.0.2.2');
    const [first, second, third] = [connect(), connect(), connect()];
    expect(areDestroyed(other, first, second, third)).to.deep.equal([false, true, false, false]);
    expect(shed).to.deep.equal(['address']);
  });

  it('of an address is not limited for a trusted proxy, which serves many clients', () => {
    const { connect, shed } = openConnections({ maxConnectionsPerAddress: 1, maxConnections: 4 });
    const sockets = [connect(PROXY), connect(PROXY), connect(PROXY), connect()];
    expect(shed).to.deep.equal([]);
    connect(PROXY);
    expect(shed).to.deep.equal(['connections']);
    expect(areDestroyed(...sockets)).to.deep.equal([true, false, false, false]);
  });

  it('is limited by closing a connection with an unread answer, not one with a running request', () => {
    const { connect, begin, shed } = openConnections({ maxConnections: 2 });
    const [working, waiting] = [connect(), connect()];
    begin(working);
    begin(waiting).response.writeHead(200);
    const oneMore = connect();
    expect(areDestroyed(working, waiting, oneMore)).to.deep.equal([false, true, false]);
    expect(shed).to.deep.equal(['connections']);
  });
});

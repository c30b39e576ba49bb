import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { Connections, type ShedReason } from '../../src/http/connections.js';
import { defaultHttpLimits, type HttpLimits } from '../../src/http/limits.js';
import { Slices } from '../../src/http/slices.js';

/** Connections with a request each, which hold as much as the test says. */
function openConnections(limits: Partial<HttpLimits>) {
  const shed: ShedReason[] = [];
  const connections = new Connections({ ...defaultHttpLimits, ...limits }, new Slices(), (reason) =>
    shed.push(reason),
  );
  const open = () => {
    const socket = new Socket();
    connections.connect(socket);
    const request = new IncomingMessage(socket);
    const response = new ServerResponse(request);
    connections.begin(request, response, () => undefined);
    return { socket, hold: (bytes: number) => connections.hold(request, response, bytes) };
  };
  return { open, shed };
}

describe('What connections hold', () => {
  it('ends the one that has held much for long, though it asks again and again', async () => {
    const { open, shed } = openConnections({ maxHeldBytes: 100_000 });
    const lasting = open();
    lasting.hold(30_000);
    await pause(400);
    lasting.hold(1);
    const fresh = open();
    fresh.hold(60_000);
    expect([lasting.socket.destroyed, fresh.socket.destroyed, shed]).to.deep.equal([true, false, ['bytes']]);
  });
});

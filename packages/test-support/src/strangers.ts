import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';

/** A loopback address that is not the one of the other clients. */
export const STRANGER = '127.0.0.9';

const KUBERNETES = new URL('../../../../docker/kubernetes/', import.meta.url);

/** What a pod of an app may take, in MB of 2^20 bytes. */
export function readMemoryLimitMb(app: 'api' | 'dashboard' | 'intake' | 'worker'): number {
  const manifest = readFileSync(new URL(`${app}.yaml`, KUBERNETES), 'utf8');
  return Number(/limits: \{ memory: (\d+)Mi \}/.exec(manifest)?.[1]);
}

/** Connections of a stranger. */
export interface Crowd {
  /** Bytes that have come back over all of them. */
  received(): number;
  /** Connections that are still open. */
  open(): number;
  leave(): void;
}

/**
 * Opens connections one after the other and sends to each what `textOf` gives; what comes back is thrown away, or with
 * `takes` left to the system where it says so. Resolves when the last one is connected.
 */
export async function openCrowd(
  port: number,
  size: number,
  textOf: (index: number) => string,
  takes: (index: number) => boolean = () => true,
): Promise<Crowd> {
  const sockets: Socket[] = [];
  let received = 0;
  for (let index = 0; index < size; index += 1) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: STRANGER });
    sockets.push(socket);
    // Whatever the server does to a stranger is its right.
    socket.on('error', () => socket.destroy());
    if (takes(index)) {
      socket.on('data', (chunk) => {
        received += chunk.length;
      });
    }
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    socket.write(textOf(index));
  }
  return {
    received: () => received,
    open: () => sockets.filter(({ destroyed }) => !destroyed).length,
    leave: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

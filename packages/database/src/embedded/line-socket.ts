import type { Socket } from 'node:net';

const MAXIMUM_LINE_LENGTH = 64 * 1024;

/** Calls `onLine` for each line that arrives; a peer that sends an endless one is cut off. */
export function onLines(socket: Socket, onLine: (line: string) => void): void {
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
    if (rest.length > MAXIMUM_LINE_LENGTH) socket.destroy();
  });
}

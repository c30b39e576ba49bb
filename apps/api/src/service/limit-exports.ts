import { ServiceError } from '@takt/error-catalogue';

/** Takes a place among the exports that run; gives what gives it back. Throws overloaded where none is left. */
export type BeginExport = () => () => void;

/**
 * Exports are long work beside the short work of all others: each keeps a connection of the database busy most of the
 * time, and a part of the event loop.
 */
export function limitExports(most: number): BeginExport {
  let running = 0;
  return () => {
    if (running >= most) throw new ServiceError('overloaded');
    running += 1;
    let isOver = false;
    return () => {
      if (!isOver) running -= 1;
      isOver = true;
    };
  };
}

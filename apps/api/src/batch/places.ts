/** Gives a place back. */
export type Leave = () => void;

/** Places that all batches share, given in the order in which they are asked for. */
export interface Places {
  take(): Promise<Leave>;
}

export function createPlaces(most: number): Places {
  const waiting: (() => void)[] = [];
  let free = most;
  const leave = () => {
    const next = waiting.shift();
    if (next === undefined) {
      free += 1;
    } else {
      next();
    }
  };
  return {
    take: async () => {
      if (free > 0) {
        free -= 1;
      } else {
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      return leave;
    },
  };
}

/** Lets so many bytes be in memory at a time, first come first served. */
export interface ByteRoom {
  /**
   * Calls `go` once there is room for so many bytes, with what gives it back; `full` instead where there is none by
   * `untilMs`, in the time of performance.now(). What it returns takes the question back.
   */
  enter(bytes: number, untilMs: number, calls: RoomCalls): () => void;
}

export interface RoomCalls {
  readonly go: (leave: () => void) => void;
  readonly full: () => void;
}

interface Waiting {
  readonly bytes: number;
  readonly go: () => void;
}

/** @param maxBytes what is larger than that goes alone */
export function createByteRoom(maxBytes: number): ByteRoom {
  const waiting: Waiting[] = [];
  let taken = 0;

  const letIn = () => {
    for (let next = waiting[0]; next !== undefined && taken + next.bytes <= maxBytes; next = waiting[0]) {
      waiting.shift();
      taken += next.bytes;
      next.go();
    }
  };
  const leaveOnce = (bytes: number) => {
    let left = 0;
    return () => {
      taken -= bytes - left;
      left = bytes;
      letIn();
    };
  };

  return {
    enter: (bytes, untilMs, { go, full }) => {
      const counted = Math.min(bytes, maxBytes);
      const leave = leaveOnce(counted);
      const takeBack = () => {
        clearTimeout(timer);
        const position = waiting.indexOf(entry);
        if (position < 0) return;
        waiting.splice(position, 1);
        letIn();
      };
      const timer = setTimeout(
        () => {
          takeBack();
          full();
        },
        Math.max(0, untilMs - performance.now()),
      );
      const entry: Waiting = {
        bytes: counted,
        go: () => {
          clearTimeout(timer);
          go(leave);
        },
      };
      waiting.push(entry);
      letIn();
      return takeBack;
    },
  };
}

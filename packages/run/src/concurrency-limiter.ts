/** Gives the place back. Only the first call has an effect. */
export type Leave = () => void;

/** Why an entry got no place: too many wait already, or its time ran out while it waited. */
export type Refusal = 'full' | 'late';

/** The bounds of a limiter. Sizes are in whatever unit its entries use: places, bytes, events. */
export interface ConcurrencyLimits {
  /** Total size of the work under way at a time. Larger entries count as this much, so they run alone. */
  readonly capacity: number;
  /** The most that one owner of a kind may have under way, such as `{ company: 4, token: 3 }`. Default: no bound. */
  readonly shares?: Readonly<Record<string, number>>;
  /** Entries that may wait at a time. Default: no bound. */
  readonly maxWaiting?: number;
  /** The same for one owner of a kind. Default: no bound. */
  readonly waitingShares?: Readonly<Record<string, number>>;
  /** An entry that would probably wait longer than this, in ms, is turned away at once. Default: no bound. */
  readonly maxWaitMs?: number;
}

export interface Entry {
  /** Default 1. */
  readonly size?: number;
  /** The owners of the work, by kind, such as `{ company: '3', token: 'a1' }`. */
  readonly owners?: Readonly<Record<string, string>>;
  /** Lower ranks go first, and take the waiting place of a higher rank when there is none left. Default 0. */
  readonly rank?: number;
  /** Until when it may wait, in the time of performance.now(). Default: for ever. */
  readonly untilMs?: number;
  /** Aborted when nobody wants the place any more: the entry is then `late`. */
  readonly signal?: AbortSignal | undefined;
}

/** An entry as it is kept. */
interface AcceptedEntry {
  readonly size: number;
  readonly rank: number;
  readonly owners: readonly Owner[];
  readonly sinceMs: number;
  readonly untilMs: number;
}

interface WaitingEntry extends AcceptedEntry {
  settle(outcome: Leave | Refusal): void;
}

/** `key` names the owner among all kinds. */
interface Owner {
  readonly kind: string;
  readonly key: string;
}

const ENDLESS = Number.POSITIVE_INFINITY;
/** The weight of the newest interval in the running average. */
const NEWEST_WEIGHT = 0.05;

/**
 * The one waiting room of Takt: it lets a bounded amount of work run at a time, with a share for each owner. Among the entries
 * whose owners have room in their shares, the lowest rank begins first; among equal ranks, the one whose owners use the
 * smallest part of their shares; then the one that came first. So an owner that asks a thousand times delays the single
 * question of another by one turn, not by a thousand.
 *
 * With `maxWaitMs` the wait is estimated: the number of entries that go before, times the average time between two that end
 * while others wait. A fixed length of the queue would be too short for fast work and too long for slow work.
 */
export class ConcurrencyLimiter {
  readonly #limits: ConcurrencyLimits;
  /** In the order in which they came. */
  readonly #waiting: WaitingEntry[] = [];
  readonly #underWayOf = new Map<string, number>();
  readonly #waitingOf = new Map<string, number>();
  #underWay = 0;
  #lastEndMs = 0;
  #hasWaitedSince = false;
  #intervalMs = 0;

  constructor(limits: ConcurrencyLimits) {
    this.#limits = limits;
  }

  /** Resolves when it is the entry's turn, with the function that gives its place back. Never rejects. */
  async enter({
    size = 1,
    owners = {},
    rank = 0,
    untilMs = ENDLESS,
    signal,
  }: Entry = {}): Promise<Leave | Refusal> {
    const { capacity, maxWaiting = ENDLESS } = this.#limits;
    const entry = {
      size: Math.min(size, capacity),
      rank,
      owners: Object.entries(owners).map(([kind, name]) => ({ kind, key: `${kind} ${name}` })),
      sinceMs: performance.now(),
      untilMs,
    };
    const isLate = entry.sinceMs > untilMs || signal?.aborted === true;
    const mustWait = this.#underWay + entry.size > capacity || !this.#fitsShares(entry);
    if (mustWait && (this.#waitsTooLong(entry) || !this.#hasWaitingShare(entry))) return 'full';
    if (mustWait && this.#waiting.length >= maxWaiting && !this.#makeRoomFor(entry)) return 'full';
    // Most work begins at once, and costs less so.
    const mayBegin = !mustWait && !isLate && this.#waiting.length === 0;
    return mayBegin ? this.#begin(entry) : this.#wait(entry, signal);
  }

  /** Sizes under way and entries that wait now. */
  state(): { readonly underWay: number; readonly waiting: number } {
    return { underWay: this.#underWay, waiting: this.#waiting.length };
  }

  #begin({ size, owners }: AcceptedEntry): Leave {
    this.#underWay += size;
    for (const { key } of owners) add(this.#underWayOf, key, size);
    let hasLeft = false;
    return () => {
      if (hasLeft) return;
      hasLeft = true;
      this.#underWay -= size;
      for (const { key } of owners) add(this.#underWayOf, key, -size);
      this.#noteEnd();
      this.#letIn();
    };
  }

  #noteEnd(): void {
    const nowMs = performance.now();
    // An interval in which nobody waited tells how much was asked for, not how fast work ends.
    if (this.#hasWaitedSince) {
      this.#intervalMs += (nowMs - this.#lastEndMs - this.#intervalMs) * NEWEST_WEIGHT;
    }
    this.#lastEndMs = nowMs;
    this.#hasWaitedSince = this.#waiting.length > 0;
  }

  #letIn(): void {
    const { capacity } = this.#limits;
    // An entry too large for the room that is left is waited for: smaller ones would otherwise pass it for ever.
    for (
      let next = this.#findNext();
      next !== undefined && this.#underWay + next.size <= capacity;
      next = this.#findNext()
    ) {
      this.#remove(next);
      next.settle(performance.now() > next.untilMs ? 'late' : this.#begin(next));
    }
  }

  /** The entry whose turn it is; undefined where every owner that waits has used up its share. */
  #findNext(): WaitingEntry | undefined {
    let next: WaitingEntry | undefined;
    let nextUsed = 0;
    for (const entry of this.#waiting) {
      if (next !== undefined && entry.rank > next.rank) continue;
      if (!this.#fitsShares(entry)) continue;
      const used = this.#usedShare(entry);
      if (next !== undefined && entry.rank === next.rank && used >= nextUsed) continue;
      next = entry;
      nextUsed = used;
    }
    return next;
  }

  #shareOf(kind: string): number {
    return this.#limits.shares?.[kind] ?? this.#limits.capacity;
  }

  /** The largest part that one of its owners uses of its share. */
  #usedShare({ owners }: AcceptedEntry): number {
    let used = 0;
    for (const { kind, key } of owners) {
      used = Math.max(used, (this.#underWayOf.get(key) ?? 0) / this.#shareOf(kind));
    }
    return used;
  }

  #fitsShares({ owners, size }: AcceptedEntry): boolean {
    return owners.every(({ kind, key }) => {
      const used = this.#underWayOf.get(key) ?? 0;
      return used === 0 || used + size <= this.#shareOf(kind);
    });
  }

  #hasWaitingShare({ owners }: AcceptedEntry): boolean {
    const { waitingShares = {} } = this.#limits;
    return owners.every(
      ({ kind, key }) => (this.#waitingOf.get(key) ?? 0) < (waitingShares[kind] ?? ENDLESS),
    );
  }

  #waitsTooLong({ owners, sinceMs }: AcceptedEntry): boolean {
    const { maxWaitMs = ENDLESS } = this.#limits;
    if (maxWaitMs === ENDLESS) return false;
    return this.#estimateWaitMs(owners) > maxWaitMs || this.#waitedMs(owners, sinceMs) > maxWaitMs;
  }

  /** Owners take turns: an entry waits for those of its own owner, and for as many of every other owner. */
  #estimateWaitMs(owners: readonly Owner[]): number {
    const own = this.#waitingBy({ owners });
    const length = this.#waiting.length;
    const before = owners.length === 0 ? length : (own + 1) * (this.#waitingOf.size + 1) - 1;
    return Math.min(before, length) * this.#intervalMs;
  }

  /** How long the first entry that is in the way has waited: any entry if all places are taken, else one of an owner's own. */
  #waitedMs(owners: readonly Owner[], nowMs: number): number {
    const isOwn = (entry: WaitingEntry) =>
      entry.owners.some(({ key }) => owners.some((own) => own.key === key));
    const first = this.#waiting.find(isOwn);
    const ownMs = first === undefined ? 0 : nowMs - first.sinceMs;
    const [oldest] = this.#waiting;
    if (oldest === undefined || this.#underWay < this.#limits.capacity) return ownMs;
    return Math.max(ownMs, nowMs - Math.max(oldest.sinceMs, this.#lastEndMs));
  }

  #waitingBy({ owners }: Pick<AcceptedEntry, 'owners'>): number {
    return Math.max(0, ...owners.map(({ key }) => this.#waitingOf.get(key) ?? 0));
  }

  /**
   * Turns away the last entry of the highest rank; of equal ranks, of the owner that has most waiting. The newcomer itself,
   * where it stands no better than that one.
   */
  #makeRoomFor(newcomer: AcceptedEntry): boolean {
    let last: WaitingEntry | undefined;
    let most = 0;
    for (const entry of this.#waiting) {
      const count = this.#waitingBy(entry);
      if (last !== undefined && (entry.rank - last.rank || count - most) < 0) continue;
      last = entry;
      most = count;
    }
    if (last === undefined) return false;
    if ((last.rank - newcomer.rank || most - this.#waitingBy(newcomer) - 1) <= 0) return false;
    this.#remove(last);
    last.settle('full');
    return true;
  }

  #wait(entry: AcceptedEntry, signal: AbortSignal | undefined): Promise<Leave | Refusal> {
    return new Promise((resolve) => {
      let timer: NodeJS.Timeout | undefined;
      let isSettled = false;
      const settle = (outcome: Leave | Refusal) => {
        isSettled = true;
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        resolve(outcome);
      };
      const one = { ...entry, settle };
      const giveUp = () => {
        if (!this.#remove(one)) return;
        settle('late');
        this.#letIn();
      };
      this.#waiting.push(one);
      for (const { key } of one.owners) add(this.#waitingOf, key, 1);
      this.#letIn();
      if (isSettled) return;
      if (one.untilMs !== ENDLESS) timer = setTimeout(giveUp, Math.max(0, one.untilMs - one.sinceMs));
      signal?.addEventListener('abort', giveUp, { once: true });
      if (signal?.aborted) giveUp();
    });
  }

  /** False where it waits no longer. */
  #remove(entry: WaitingEntry): boolean {
    const position = this.#waiting.indexOf(entry);
    if (position < 0) return false;
    this.#waiting.splice(position, 1);
    for (const { key } of entry.owners) add(this.#waitingOf, key, -1);
    return true;
  }
}

function add(counts: Map<string, number>, key: string, change: number): void {
  const now = (counts.get(key) ?? 0) + change;
  if (now === 0) {
    counts.delete(key);
  } else {
    counts.set(key, now);
  }
}

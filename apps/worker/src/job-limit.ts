/**
 * Events held at once, claimed and not yet acknowledged: while some commit, the others are fetched or acknowledged.
 * More of them make larger transactions, but BullMQ keeps some 10 kB of objects alive for each job: from 700 to 800 the
 * garbage collector takes what PostgreSQL saves, and the worker passes its bound of 200 MB.
 */
const MAX_EVENTS_HELD = 700;
/** More than events take: one that carries ignored fields weighs as much as so many that do not. */
const BYTES_AN_EVENT = 20_000;

/** How many jobs a worker may hold at once, so that it holds about as many events whatever a job carries. */
interface JobLimit {
  /** To be told of every job that is claimed, by its weight; gives the number of jobs to allow from now on. */
  observe(weight: number): number;
  readonly initial: number;
}

/** Weight of the newest job in the moving average. */
const SMOOTHING = 0.05;
const MIN_JOBS = 4;

/**
 * Jobs carry 1 to 1,000 events. Their size is known only when they are here, so the limit starts low and follows
 * the moving average of what they carried: memory stays bounded in the one case, throughput high in the other.
 */
export function createJobLimit(maxEvents = MAX_EVENTS_HELD): JobLimit {
  const initial = Math.max(MIN_JOBS, Math.ceil(maxEvents / 50));
  let averageEvents = maxEvents / initial;
  return {
    initial,
    observe: (weight) => {
      // A large job counts at once: too many of them is what the limit is there to prevent.
      const share = weight > averageEvents * 4 ? 0.5 : SMOOTHING;
      averageEvents += share * (Math.max(1, weight) - averageEvents);
      return Math.max(MIN_JOBS, Math.round(maxEvents / averageEvents));
    },
  };
}

/** The weight of a job: how many events it carries, or how many its bytes would be worth. */
export function weigh(data: unknown, bytes: number): number {
  const events = Array.isArray(data) ? data.length : 1;
  return Math.max(events, bytes / BYTES_AN_EVENT);
}

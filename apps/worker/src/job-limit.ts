/**
 * Limit of events that are claimed and not yet acknowledged: while some are committed, others are fetched or
 * acknowledged. A higher limit makes larger transactions, but BullMQ needs some 10 kB of memory per job: from 700 to
 * 800 events the garbage collector costs more than PostgreSQL saves, and the worker exceeds its memory limit of 200 MB.
 */
const MAX_EVENTS_HELD = 700;
/** Larger than a usual event, so that only an event with large ignored fields counts as several. */
const BYTES_AN_EVENT = 20_000;

/** Limits the jobs of a worker so that it holds about the same number of events, whatever a job contains. */
interface JobLimit {
  /** Call it for each claimed job with its weight; returns the new limit of jobs. */
  observe(weight: number): number;
  readonly initial: number;
}

/** Weight of the newest job in the moving average. */
const SMOOTHING = 0.05;
const MIN_JOBS = 4;

/**
 * Jobs contain 1 to 1,000 events. Their size is only known after the claim, so the limit starts low and follows the
 * moving average: large jobs stay within the memory, small ones get high throughput.
 */
export function createJobLimit(maxEvents = MAX_EVENTS_HELD): JobLimit {
  const initial = Math.max(MIN_JOBS, Math.ceil(maxEvents / 50));
  let averageEvents = maxEvents / initial;
  return {
    initial,
    observe: (weight) => {
      // A large job changes the average more, because too many large jobs are the danger.
      const share = weight > averageEvents * 4 ? 0.5 : SMOOTHING;
      averageEvents += share * (Math.max(1, weight) - averageEvents);
      return Math.max(MIN_JOBS, Math.round(maxEvents / averageEvents));
    },
  };
}

/** The weight of a job: its number of events, or more for their bytes. */
export function weigh(data: unknown, bytes: number): number {
  const events = Array.isArray(data) ? data.length : 1;
  return Math.max(events, bytes / BYTES_AN_EVENT);
}

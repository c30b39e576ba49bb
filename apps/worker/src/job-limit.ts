/**
 * Maximum number of events that are claimed and not yet acknowledged. While some of these events are committed, others
 * are fetched or acknowledged. A higher limit makes larger transactions, but BullMQ needs some 10 kB of memory per job.
 * From 700 to 800 events, the garbage collector costs more than PostgreSQL saves, and the worker exceeds its memory
 * limit of 200 MB.
 */
const MAX_EVENTS_HELD = 700;
/**
 * An event that takes more bytes than this counts as several events. It is larger than a usual event, so that only an
 * event with large ignored fields is affected.
 */
const BYTES_AN_EVENT = 20_000;

/**
 * Limits the number of jobs of a worker, so that the worker holds about the same number of events whatever a job
 * contains.
 */
interface JobLimit {
  /** Must be called for each claimed job with the weight of the job. Returns the new limit for the number of jobs. */
  observe(weight: number): number;
  readonly initial: number;
}

/** Weight of the newest job in the moving average. */
const SMOOTHING = 0.05;
/**
 * Number of jobs that are held whatever number of events they contain, so that some are fetched and acknowledged while
 * others are committed. It does not apply to jobs of many bytes: while a job is parsed, it takes ten times its size.
 */
const MIN_JOBS = 4;

/**
 * Creates a limit that adapts to the size of the jobs. A job contains 1 to 1,000 events, and their number is known only
 * after the claim. So the limit starts low and follows the moving average of the weights. Large jobs thus stay within
 * the memory, and small jobs get a high throughput.
 */
export function createJobLimit(maxEvents = MAX_EVENTS_HELD): JobLimit {
  const initial = Math.ceil(maxEvents / 50);
  let averageEvents = maxEvents / initial;
  return {
    initial,
    observe: (weight) => {
      // A large job changes the average more, because too many large jobs would be dangerous.
      const share = weight > averageEvents * 4 ? 0.5 : SMOOTHING;
      averageEvents += share * (Math.max(1, weight) - averageEvents);
      return Math.max(1, Math.round(maxEvents / averageEvents));
    },
  };
}

/**
 * Returns the weight of a job: its number of events, as far as MIN_JOBS allows, or more if the events take many bytes.
 */
export function weigh(data: unknown, bytes: number): number {
  const events = Array.isArray(data) ? data.length : 1;
  return Math.max(Math.min(events, MAX_EVENTS_HELD / MIN_JOBS), bytes / BYTES_AN_EVENT);
}

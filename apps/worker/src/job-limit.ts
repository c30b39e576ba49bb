/** How many jobs a worker may hold at once, so that it holds about `maxEvents` events whatever a job carries. */
export interface JobLimit {
  /** To be told of every job; gives the number of jobs to allow from now on. */
  observe(eventsInJob: number): number;
  readonly initial: number;
}

/** Weight of the newest job in the moving average. */
const SMOOTHING = 0.05;
const MIN_JOBS = 4;

/**
 * Jobs carry 1 to 1,000 events. Their size is known only when they are here, so the limit starts low and follows
 * the moving average of what they carried: memory stays bounded in the one case, throughput high in the other.
 */
export function createJobLimit(maxEvents: number): JobLimit {
  const initial = Math.max(MIN_JOBS, Math.ceil(maxEvents / 50));
  let averageEvents = maxEvents / initial;
  return {
    initial,
    observe: (eventsInJob) => {
      // A large job counts at once: too many of them is what the limit is there to prevent.
      const weight = eventsInJob > averageEvents * 4 ? 0.5 : SMOOTHING;
      averageEvents += weight * (Math.max(1, eventsInJob) - averageEvents);
      return Math.max(MIN_JOBS, Math.round(maxEvents / averageEvents));
    },
  };
}

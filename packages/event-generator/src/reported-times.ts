import type { StructureVersion } from './factory.js';
import type { Random } from './random.js';

/** Times as a shop floor reports them, in hours; a time that was not reported is left out. */
export interface ReportedTimes {
  readonly runTime: number;
  readonly setupTime?: number;
  readonly cleanupTime?: number;
}

const SECONDS_PER_HOUR = 3_600;
const CHANGEOVER_SPREAD = 0.4;
/** The same part was on the machine before: the changeover takes no time, and that is reported. */
const NO_CHANGEOVER_SHARE = 0.05;

/**
 * Run times are log-normal around the plan, moved by the bias of the structure version and its drift through the
 * year (`part` of it, 0 to 1). Measured in whole seconds.
 */
export function reportTimes(
  { plan, behaviour }: StructureVersion,
  part: number,
  random: Random,
): ReportedTimes {
  const level = behaviour.bias * (1 + behaviour.drift * part);
  const changeover = (planned: number | null) => {
    if (planned === null || !random.chance(behaviour.reportingShare)) return undefined;
    return random.chance(NO_CHANGEOVER_SHARE) ? 0 : logNormal(planned, CHANGEOVER_SPREAD, random);
  };
  const runTime = logNormal(plan.runTime * level, behaviour.spread, random);
  const setupTime = changeover(plan.setupTime);
  const cleanupTime = changeover(plan.cleanupTime);
  return {
    runTime,
    ...(setupTime !== undefined && { setupTime }),
    ...(cleanupTime !== undefined && { cleanupTime }),
  };
}

function logNormal(medianHours: number, spread: number, random: Random): number {
  const seconds = Math.max(
    1,
    Math.round(medianHours * Math.exp(spread * random.normal()) * SECONDS_PER_HOUR),
  );
  return Math.round((seconds / SECONDS_PER_HOUR) * 1e6) / 1e6;
}

/** How many of `all` things are met by `picks` picks that are evenly distributed: what is picked twice counts once. */
function met(all: number, picks: number): number {
  // expm1: of ten million versions a batch meets a share that 1 - (1 - 1/n)^k would round away.
  return all === 0 ? 0 : -all * Math.expm1(-picks / all);
}

/** Rows of figures that a transaction of `events` changes, where every structure version is as busy as any other. */
export function rowsPerTransaction(structureVersions: number, events: number): number {
  return met(structureVersions, events);
}

/** At so many structure versions the cost of changing a row was measured; of fewer it is no lower. */
const VERSIONS_OF_BASE_COST = 3_000;

/** How often there are ten times as many structure versions as those. */
export function decadesAbove(structureVersions: number): number {
  return Math.max(0, Math.log10(structureVersions / VERSIONS_OF_BASE_COST));
}

/** Pages that `touches` touches between two checkpoints meet: each is written to the log as a whole the first time. */
export function pagesTouched(pages: number, touches: number): number {
  return met(pages, touches);
}

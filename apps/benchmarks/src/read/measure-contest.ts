import { appUrlOf, readPeakMemoryMb, startTestPgBouncer } from '@takt/test-support';
import type { MeasuredContest } from './contest/contest-report.js';
import { type Contestant, runContest } from './contest/http-load.js';
import {
  type LoadOptions,
  makeFirstPages,
  makeOurContestants,
  measureHtmlBytes,
  type Pooled,
} from './contest/our-contestants.js';
import { openPeerContest } from './contest/peer-contestants.js';
import { type ServedSize, startMeasuredApi } from './fill-database.js';
import { measureWhileEvents } from './measure-while-events.js';

/** Parts of the run besides the questions. */
type ContestPart = 'pages' | 'peers' | 'events';

interface MeasureContestOptions extends LoadOptions {
  readonly parts: ReadonlySet<string>;
  readonly rounds: number;
}

/** One contest of all that is wanted, so that all meet in the same minutes. */
export async function measureContest(
  size: ServedSize,
  options: MeasureContestOptions,
): Promise<MeasuredContest> {
  const { parts, rounds } = options;
  const wants = (part: ContestPart) => parts.has(part);
  const peers = wants('peers') ? await openPeerContest(size, options) : undefined;
  const keeping = { ...size, api: await startMeasuredApi(size.url, { keepsAnswers: true }) };
  const pooler = wants('pages') ? await startPooled(size) : undefined;
  try {
    const own =
      pooler !== undefined
        ? [
            ...(await makeFirstPages(size, keeping, pooler, options)),
            ...(await makeOurContestants(size, options)),
          ]
        : [];
    const contestants = byName([...(peers?.contestants ?? []), ...own]);
    const measured = await runContest(contestants, { rounds, pool: size.database.pool });
    await peers?.close();
    return {
      rows: size.rows,
      measured,
      ...(peers === undefined ? {} : { deepPage: peers.deepPage }),
      ...(wants('pages') ? { htmlBytes: await measureHtmlBytes(size) } : {}),
      // Last: it changes the table.
      ...(wants('events') ? { whileEvents: await measureWhileEvents(size, options) } : {}),
      apiPeakMemoryMb: readPeakMemoryMb(size.api.pid),
    };
  } finally {
    await keeping.api.stop();
    await pooler?.close();
    await peers?.close();
  }
}

/** Another API, behind PgBouncer in transaction mode. */
async function startPooled(size: ServedSize): Promise<Pooled & { close(): Promise<void> }> {
  const url = await appUrlOf(size.url, 'api');
  const bouncer = await startTestPgBouncer({ mode: 'transaction', urls: [url], poolSize: 10 });
  const environment = { DATABASE_URL: bouncer.urlOf(url), DATABASE_POOLER: 'transaction' };
  const api = await startMeasuredApi(size.url, { environment });
  const close = async () => {
    await api.stop();
    await bouncer.close();
  };
  return { ...size, api, poolerPid: bouncer.pid, close };
}

/** Our first page belongs to two parts. */
function byName(contestants: readonly Contestant[]): readonly Contestant[] {
  return [...new Map(contestants.map((contestant) => [contestant.name, contestant])).values()];
}

import { revokeAccessToken, SESSION_COOKIE } from '@takt/access';
import { completion, opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { MAX_WATCHERS, WATCHERS_OF } from '../src/operations/live-updates.js';
import { openTestDashboard } from './support/open-test-dashboard.js';

/** A browser that has opened the live updates of the page. */
interface Watcher {
  readonly status: number;
  /** Returns everything that the browser has received so far. */
  readonly heard: () => string;
  readonly hasEnded: () => boolean;
  leave(): void;
}

describe('the live updates of the operations page', () => {
  const test = opened(openTestDashboard);
  const leaving: Watcher[] = [];

  /** Earlier watchers would count towards the limits. */
  const nobodyWatches = () =>
    waitUntil('nobody watches any more', async () =>
      (await test.ask('GET', '/metrics')).text.includes('takt_http_requests_in_flight 1\n'),
    );
  afterEach(() => {
    for (const watcher of leaving.splice(0)) watcher.leave();
  });

  const watch = async (token: string): Promise<Watcher> => {
    const gone = new AbortController();
    const headers = { cookie: `${SESSION_COOKIE}=${token}` };
    const response = await fetch(`${test.origin}/live`, { headers, signal: gone.signal });
    let [heard, hasEnded] = ['', false];
    const listen = async () => {
      for await (const piece of response.body ?? []) heard += Buffer.from(piece).toString();
    };
    void listen()
      .catch(() => undefined)
      .finally(() => {
        hasEnded = true;
      });
    const watcher = {
      status: response.status,
      heard: () => heard,
      hasEnded: () => hasEnded,
      leave: () => gone.abort(),
    };
    leaving.push(watcher);
    return watcher;
  };
  const addOperator = () => test.addPerson(['TEM-NO', 'TEM-SE'], { roles: ['operator'] });
  /** Returns the messages that a watcher has received. */
  const messagesOf = (watcher: Watcher): readonly Record<string, string>[] =>
    (watcher.heard().match(/^data: (.+)$/gm) ?? []).map((line) => JSON.parse(line.slice('data: '.length)));
  /** Returns the latest content of each part of the page. */
  const regionsOf = (watcher: Watcher): Record<string, string> => Object.assign({}, ...messagesOf(watcher));

  it('show a rejected event and a missing worker, with an instruction', async () => {
    const { token } = await addOperator();
    const watcher = await watch(token);
    expect(watcher.status).to.equal(200);
    await waitUntil('the state is told', () => regionsOf(watcher)['verdict'] !== undefined);
    expect(regionsOf(watcher)['verdict']).to.include('No worker is running').and.to.include('npm run worker');
    await test.reject([{ jobId: 'bad', data: completion(1, { runTime: -1 }) }]);
    await waitUntil(
      'the rejected event is told',
      () => regionsOf(watcher)['verdict']?.includes('1 event is rejected') === true,
    );
    expect(regionsOf(watcher)['rejected']).to.include('data.runTime must be hours');
  });

  it('contain only the changed parts of the page', async () => {
    const watcher = await watch((await addOperator()).token);
    const REGIONS = ['asOf', 'flow', 'database', 'unlisted'];
    await waitUntil('all is told, and a message leaves out what did not change', () => {
      const isWhole = REGIONS.every((id) => regionsOf(watcher)[id] !== undefined);
      return isWhole && messagesOf(watcher).some((message) => 'asOf' in message && !('unlisted' in message));
    });
    const told: Record<string, string> = {};
    for (const message of messagesOf(watcher)) {
      for (const [id, html] of Object.entries(message)) {
        expect(html, id).not.to.equal(told[id]);
        told[id] = html;
      }
    }
  });

  it('show nothing about events of other companies', async () => {
    const { token } = await test.addPerson(['TEM-SE'], { roles: ['operator'] });
    const watcher = await watch(token);
    await waitUntil('the state is told', () => regionsOf(watcher)['rejected'] !== undefined);
    expect(regionsOf(watcher)['rejected']).to.match(
      /^<p class="note">1 more rejected event is of a company that you may not see/,
    );
    expect(watcher.heard()).not.to.match(/TEM-NO|must be hours/);
  });

  it('end within 5 s after the token was revoked', async () => {
    const { token } = await addOperator();
    const watcher = await watch(token);
    await waitUntil('the state is told', () => watcher.heard().includes('data: '));
    await revokeAccessToken(test.database, token);
    await waitUntil('it has ended', watcher.hasEnded, 10_000);
    expect(watcher.heard()).to.include('event: ended');
  });

  it('are limited for each person, without an effect on other persons', async () => {
    await nobodyWatches();
    const { token } = await test.addPerson(['TEM-NO'], { roles: ['planner'] });
    const watchers = await Promise.all(Array.from({ length: MAX_WATCHERS }, () => watch(token)));
    const refused = watchers.filter(({ status }) => status === 503);
    expect(refused).to.have.length(MAX_WATCHERS - WATCHERS_OF.person);
    await waitUntil('it is told why', () => refused[0]?.heard().includes('at most 5 per person') === true);
    const other = await watch((await addOperator()).token);
    expect(other.status).to.equal(200);
    await waitUntil('the other is told the state', () => regionsOf(other)['verdict'] !== undefined);
    for (const watcher of watchers) watcher.leave();
    await waitUntil('there is room again', async () => {
      const watcher = await watch(token);
      watcher.leave();
      return watcher.status === 200;
    });
  });

  it('are limited for each address', async () => {
    await nobodyWatches();
    const persons = await Promise.all(Array.from({ length: 6 }, addOperator));
    const tokens = persons.flatMap(({ token }) => Array<string>(WATCHERS_OF.person).fill(token));
    const watchers = await Promise.all(tokens.map(watch));
    const statuses = watchers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.length(WATCHERS_OF.address);
    // Only the live updates were refused. The page itself still opens.
    expect((await test.ask('GET', '/', { token: tokens.at(-1) })).status).to.equal(200);
  });

  it('end when the dashboard stops, and do not delay the stop', async () => {
    await nobodyWatches();
    const watcher = await watch((await addOperator()).token);
    expect(watcher.status).to.equal(200);
    await test.dashboard.close();
    await waitUntil('it has ended', watcher.hasEnded);
  });
});

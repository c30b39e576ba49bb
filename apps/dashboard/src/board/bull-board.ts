import { readFile } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { pathToFileURL } from 'node:url';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import type {
  AppControllerRoute,
  AppViewRoute,
  BullBoardQueues,
  IServerAdapter,
  UIConfig,
} from '@bull-board/api/typings/app';
import type { EventQueue } from '@takt/events';
import { escapeHtml } from '@takt/pages';

/** A route of Bull Board's own interface, as it declares it: `PUT`, `/api/queues/:queueName/pause`. */
export interface BoardRoute {
  readonly method: string;
  readonly pattern: string;
}

export interface BoardAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Bull Board as plain functions, for any server. */
export interface Board {
  /** Where its files are; with a slash at its end. */
  readonly folder: URL;
  readonly routes: readonly BoardRoute[];
  findRoute(method: string, path: string): BoardRoute | undefined;
  /** The page that starts its user interface; undefined where the path is none of its pages. */
  writeEntry(
    path: string,
    options: { readonly basePath: string; readonly isReadOnly: boolean },
  ): string | undefined;
  /** Calls what a path names; of what changes something the caller has made sure. */
  ask(
    method: string,
    path: string,
    query: URLSearchParams,
    options: { readonly headers: IncomingHttpHeaders; readonly isReadOnly: boolean },
  ): Promise<BoardAnswer>;
}

const UI_CONFIG: UIConfig = {
  boardTitle: 'Takt queues',
  hideDocsLink: true,
  miscLinks: [],
  // Polled while a page is open.
  pollingInterval: { showSetting: false, forceInterval: 5 },
};

/** Opens it for these queues. Rejects where the version that is installed does not fit this adapter. */
export async function openBoard(queues: readonly EventQueue[], home: string): Promise<Board> {
  const [readOnly, full] = [collect(queues, home, true), collect(queues, home, false)];
  const folder = pathToFileURL(`${readOnly.viewsPath}/`);
  const template = await readFile(new URL('index.ejs', folder), 'utf8');
  const routes = full.apiRoutes.flatMap(toMatchers);
  const entries = [full.entryRoute.route].flat().map((pattern) => compile(pattern));
  const match = (method: string, path: string) => {
    for (const route of routes) {
      const values = route.method === method ? route.match(path) : undefined;
      if (values !== undefined) return { route, values };
    }
    return undefined;
  };
  return {
    folder,
    routes: routes.map(({ method, pattern }) => ({ method, pattern })),
    findRoute: (method, path) => match(method, path)?.route,
    writeEntry: (path, { basePath, isReadOnly }) => {
      if (!entries.some((entry) => entry(path) !== undefined)) return undefined;
      const { entryRoute, uiConfig } = isReadOnly ? readOnly : full;
      return fillTemplate(template, entryRoute.handler({ basePath, uiConfig }).params);
    },
    ask: async (method, path, query, { headers, isReadOnly }) => {
      const found = match(method, path);
      if (found === undefined) return { status: 404, body: { error: 'There is no such address.' } };
      const collected = isReadOnly ? readOnly : full;
      const route = collected.apiRoutes[found.route.index];
      const { status = 200, body } = (await route?.handler({
        queues: collected.queues,
        uiConfig: collected.uiConfig,
        query: Object.fromEntries(query),
        params: found.values,
        body: {},
        headers: { 'accept-language': headers['accept-language'] },
      })) ?? { status: 404, body: undefined };
      return { status, body };
    },
  };
}

interface Collected {
  readonly queues: BullBoardQueues;
  readonly viewsPath: string;
  readonly entryRoute: AppViewRoute;
  readonly apiRoutes: readonly AppControllerRoute[];
  readonly uiConfig: UIConfig;
}

/** What Bull Board tells a server, kept; it enforces by itself that a queue that is only read is not changed. */
function collect(queues: readonly EventQueue[], home: string, isReadOnly: boolean): Collected {
  const told: { -readonly [Name in keyof Collected]?: Collected[Name] } = {};
  const serverAdapter: IServerAdapter = {
    setQueues: (all) => tell({ queues: all }),
    setViewsPath: (viewsPath) => tell({ viewsPath }),
    setStaticPath: () => serverAdapter,
    setEntryRoute: (entryRoute) => tell({ entryRoute }),
    setErrorHandler: () => serverAdapter,
    setApiRoutes: (apiRoutes) => tell({ apiRoutes }),
    setUIConfig: (uiConfig) => tell({ uiConfig }),
  };
  function tell(part: Partial<Collected>): IServerAdapter {
    Object.assign(told, part);
    return serverAdapter;
  }
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(asAdapted(queue), { readOnlyMode: isReadOnly })),
    serverAdapter,
    options: { uiConfig: { ...UI_CONFIG, miscLinks: [{ text: 'Takt operations', url: home }] } },
  });
  const { queues: all, viewsPath, entryRoute, apiRoutes, uiConfig } = told;
  if (!all || viewsPath === undefined || !entryRoute || !apiRoutes || !uiConfig) {
    throw new Error('this version of Bull Board does not tell a server all that it needs');
  }
  return { queues: all, viewsPath, entryRoute, apiRoutes, uiConfig };
}

/** Its types know queues on Redis alone; it takes every one of BullMQ's. */
function asAdapted(queue: EventQueue): ConstructorParameters<typeof BullMQAdapter>[0] {
  return queue as unknown as ConstructorParameters<typeof BullMQAdapter>[0];
}

type Match = (path: string) => Readonly<Record<string, string>> | undefined;

interface Matcher extends BoardRoute {
  readonly match: Match;
  /** Among the routes that were told. */
  readonly index: number;
}

function toMatchers({ method, route }: AppControllerRoute, index: number): readonly Matcher[] {
  return [method]
    .flat()
    .flatMap((one) =>
      [route]
        .flat()
        .map((pattern) => ({ method: one.toUpperCase(), pattern, match: compile(pattern), index })),
    );
}

/** `/queues/:name` takes `/queues/a%2Fb` and gives `{ name: 'a/b' }`. */
function compile(pattern: string): Match {
  const names: string[] = [];
  const source = pattern.replace(/:(\w+)/g, (_, name: string) => {
    names.push(name);
    return '([^/]+)';
  });
  const expression = new RegExp(`^${source}$`);
  return (path) => {
    const found = expression.exec(path);
    if (found === null) return undefined;
    try {
      return Object.fromEntries(
        names.map((name, index) => [name, decodeURIComponent(found[index + 1] ?? '')]),
      );
    } catch {
      return undefined;
    }
  };
}

const FONTS_OF_OTHERS = /<link href="https:\/\/fonts\.googleapis\.com[^>]*>/;

/** Fills the page of Bull Board, without what it would load from other hosts. */
function fillTemplate(template: string, values: Readonly<Record<string, string>>): string {
  return template
    .replace(FONTS_OF_OTHERS, '')
    .replace(/<%([=-])\s*(\w+)\s*%>/g, (_, kind: string, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`this version of Bull Board asks for ${name} in its page`);
      return kind === '=' ? escapeHtml(value) : value;
    });
}

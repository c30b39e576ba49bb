import { familyAt } from '@takt/catalogue/resources';
import type { Route } from '@takt/http';

export interface FoundRoute {
  readonly route: Route;
  /** Decoded, by name. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/** Finds the resource at a path below the base URL, as the router of the HTTP layer would. */
export function createRouteFinder(routes: readonly Route[]): (path: string) => FoundRoute | undefined {
  const byTemplate = new Map(routes.map((route) => [route.path, route]));
  return (path) => {
    const template = familyAt(path)?.path;
    const route = template === undefined ? undefined : byTemplate.get(template);
    return route && { route, pathParameters: parametersIn(route.path, path) };
  };
}

function parametersIn(template: string, path: string): FoundRoute['pathParameters'] {
  const parts = path.split('/');
  return Object.fromEntries(
    template
      .split('/')
      .flatMap((part, index) =>
        part.startsWith('{') ? [[part.slice(1, -1), decode(parts[index] ?? '')]] : [],
      ),
  );
}

/** What cannot be decoded stays as it is; it is no identifier either way. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

import type { Middleware } from 'koa';
import helmet from 'koa-helmet';

/**
 * Headers that keep a browser from doing anything with an answer but show it.
 * @param htmlStyleHash of the style element of the HTML pages, as `sha256-...`
 */
export function createSecurityHeaders(htmlStyleHash: string | undefined): Middleware {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        styleSrc: [htmlStyleHash === undefined ? "'none'" : `'${htmlStyleHash}'`],
        imgSrc: ["'self'", 'data:'],
        formAction: ["'self'"],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // The API itself speaks plain HTTP: whether a name is HTTPS for ever is up to the proxy in front of it.
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
    // Scripts of any origin may read answers (see cross-origin.ts), for which they need a token anyway.
    crossOriginResourcePolicy: { policy: 'cross-origin' },
  });
}

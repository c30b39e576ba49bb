export { type EmbeddedServer, type EmbeddedServerOptions, openEmbeddedServer } from './embedded-server.js';
export { EmbeddedServerError, hasServer } from './home.js';

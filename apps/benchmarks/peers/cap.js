// SAP CAP 9 with its PostgreSQL adapter in production mode.
import cds from '@sap/cds';
import express from 'express';

const { DATABASE_URL = '', CONNECTIONS, PORT } = process.env;
const { hostname, port, username, password, pathname } = new URL(DATABASE_URL);

// Otherwise it logs each request.
Object.assign(cds.env.log.levels, { cds: 'warn', odata: 'warn' });
cds.env.requires.auth = { impl: `${import.meta.dirname}/cap-auth.js` };
cds.env.requires.db = {
  kind: 'postgres',
  impl: '@cap-js/postgres',
  credentials: {
    host: hostname,
    port: Number(port),
    user: username,
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    schema: 'cap',
  },
  pool: { min: 0, max: Number(CONNECTIONS) },
};

const app = express();
app.disable('x-powered-by');
const listen = app.listen.bind(app);
app.listen = (ofCds) => listen(ofCds, '127.0.0.1');
await cds.server({
  app,
  from: [`${import.meta.dirname}/production-times.cds`],
  service: 'all',
  port: Number(PORT),
});

// Writes a client with each generator: node generate.mjs openapi.json FOLDER
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

const [, , input = '', output = ''] = process.argv;
const document = JSON.parse(await readFile(input, 'utf8'));

await mkdir(output, { recursive: true });
await writeFile(`${output}/openapi-typescript.ts`, astToString(await openapiTypeScript(document)));
await createClient({
  input,
  output: { path: `${output}/hey-api` },
  logs: { level: 'silent', file: false },
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
});
await generate({
  input: { target: input },
  output: { target: `${output}/orval/client.ts`, client: 'fetch', baseUrl: document.servers[0].url },
});

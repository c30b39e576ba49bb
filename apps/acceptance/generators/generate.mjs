// Writes a client with each generator, and the types of the intake: node generate.mjs openapi.json intake.json FOLDER
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypeScript, { astToString } from 'openapi-typescript';
import { generate } from 'orval';

const [, , input = '', intakeInput = '', output = ''] = process.argv;
const [document, intake] = await Promise.all(
  [input, intakeInput].map(async (path) => JSON.parse(await readFile(path, 'utf8'))),
);

await mkdir(output, { recursive: true });
await writeFile(`${output}/openapi-typescript.ts`, astToString(await openapiTypeScript(document)));
await writeFile(`${output}/openapi-typescript-intake.ts`, astToString(await openapiTypeScript(intake)));
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

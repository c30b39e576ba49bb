// Prints what redocly and spectral find against a document, as JSON: node lint.mjs openapi.json
import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const [, , input = ''] = process.argv;
const source = await readFile(input, 'utf8');
const config = await createConfig({ extends: ['recommended-strict'] });
const redocly = await lintFromString({ source, absoluteRef: '/openapi.json', config });
const spectral = new spectralCore.Spectral();
spectral.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
const found = await spectral.run(JSON.parse(source));
process.stdout.write(
  JSON.stringify({
    redocly: redocly.map(({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`),
    spectral: found.map(({ code, message, path }) => `${code}: ${message} ${path.join('.')}`),
  }),
);

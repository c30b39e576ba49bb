import type { Format } from '@takt/query-options';
import { htmlWriter } from './html/html-writer.js';
import { jsonWriter } from './json-writer.js';
import type { Writer } from './writer.js';
import { xmlWriter } from './xml-writer.js';

/** A format is a writer and a line here. A jsonstream is the same document as json, sent in pieces. */
export const writers: Readonly<Record<Format, Writer>> = {
  json: jsonWriter,
  jsonstream: jsonWriter,
  xml: xmlWriter,
  html: htmlWriter,
};

import { documentNodes } from '@takt/catalogue/resources';
import type { DescribedResource } from './described-fields.js';

export const BATCH_PATH = '/batch';

export const BATCH_IDENTIFIER = 9021;
export const BATCH_VERSION = 1;

/** The formats of a batch. Documents can contain other documents in these formats, unlike in a page or a sheet. */
export const batchFormats = ['json', 'jsonstream', 'xml'] as const;
export type BatchFormat = (typeof batchFormats)[number];

/**
 * The maximum number of addresses in a batch. So many addresses cost the database about as much work as one page, and
 * the URL of the batch stays far below the maximum length.
 */
export const MOST_BATCHED = 20;

const { collection, group, text } = documentNodes;

/** Describes the batch for /metadata. It describes only the frame around the documents. */
export const batchDescription: DescribedResource = {
  kind: 'detail',
  path: BATCH_PATH,
  pathParameters: [],
  parameters: [
    {
      name: 'resource0',
      description:
        'Address of a resource, encoded as a whole. Add further ones as resource1, resource2 and so on, with any numbers.',
      isRequired: true,
      example: '/product/products',
    },
  ],
  description:
    'Several requests in one. The response contains each document with its address and name; the metadata of its resource describe the document. Beyond the specification.',
  clientPermission: undefined,
  duty: undefined,
  fields: [
    collection('Resources', 'In the order of the request.', () =>
      group('Resource', 'The answer to one address.', [
        text('Uri', 'The requested address.'),
        text('BatchId', 'The name of its parameter.'),
      ]),
    ),
  ],
};

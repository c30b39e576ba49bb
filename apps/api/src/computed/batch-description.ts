import { documentNodes } from '@takt/catalogue/resources';
import type { DescribedResource } from './described-fields.js';

export const BATCH_PATH = '/batch';

/** Resource-Id and Resource-Version of a batch. */
export const BATCH_IDENTIFIER = 9021;
export const BATCH_VERSION = 1;

/** Formats that can contain documents: not a page or a sheet. */
export const batchFormats = ['json', 'jsonstream', 'xml'] as const;
export type BatchFormat = (typeof batchFormats)[number];

/** Limit per batch: about the database's work for one page, and a URL far below its limit. */
export const MOST_BATCHED = 20;

const { collection, group, text } = documentNodes;

/** A batch, for /metadata: the frame around the documents. */
export const batchDescription: DescribedResource = {
  kind: 'detail',
  path: BATCH_PATH,
  pathParameters: [],
  parameters: [
    {
      name: 'resource0',
      description:
        'Address of a resource, encoded as a whole. More are resource1, resource2 and so on, in any numbers.',
      isRequired: true,
      example: '/product/products',
    },
  ],
  description:
    'Several requests in one. Beside its address and name each has its document as response, of which the metadata of its resource tell. Beyond the specification.',
  clientPermission: undefined,
  duty: undefined,
  fields: [
    collection('Resources', 'In the order in which they were asked for.', () =>
      group('Resource', 'What one address was answered with.', [
        text('Uri', 'The address, as it was asked for.'),
        text('BatchId', 'The name of its parameter.'),
      ]),
    ),
  ],
};

import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript-intake';

type Completed = components['schemas']['WorkOrderOperationCompletedV1'];
const [, , baseUrl = '', token = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });

const completed: Completed = {
  specversion: '1.0',
  id: 'generated-1',
  source: '/generated',
  type: 'work-order-operation.completed.v1',
  time: '2024-05-31T16:20:05Z',
  data: {
    database: 'TEM-NO',
    workOrderOperationId: 1,
    revision: 1,
    productStructureVersionId: 1,
    completedAt: '2024-05-31T16:20:00Z',
    runTime: '0.5',
  },
};

async function main(): Promise<void> {
  const taken = await client.POST('/events', { body: [completed] });
  const refused = await client.POST('/events', {
    params: { query: { skipInvalid: true } },
    body: [completed, { ...completed, id: '' }],
  });
  // @ts-expect-error: a run time is hours
  const wrong: Completed = { ...completed, data: { ...completed.data, runTime: true } };
  void wrong;
  process.stdout.write(
    JSON.stringify({
      accepted: [taken.data?.accepted, refused.data?.accepted],
      rejected: refused.data?.rejected.map(({ index, error }) => [index, error.errorMessage.errorMessageId]),
    }),
  );
}

void main();

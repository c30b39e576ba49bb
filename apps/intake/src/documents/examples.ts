/** Events as producers write them; the structure version and the operation are those of the documentation everywhere. */
const COMPLETED = {
  specversion: '1.0',
  id: '4711-1',
  source: '/mes/line-3',
  type: 'work-order-operation.completed.v1',
  time: '2024-05-31T16:20:05Z',
  data: {
    database: 'TEM-NO',
    workOrderOperationId: 4711,
    workOrderId: 812,
    revision: 1,
    productStructureVersionId: 100001,
    completedAt: '2024-05-31T18:20:00+02:00',
    runTime: '0.833333',
    setupTime: '0.25',
    cleanupTime: null,
  },
};

const REOPENED = {
  specversion: '1.0',
  id: '4711-2',
  source: '/mes/line-3',
  type: 'work-order-operation.reopened.v1',
  time: '2024-06-03T07:00:12Z',
  data: {
    database: 'TEM-NO',
    workOrderOperationId: 4711,
    revision: 2,
    reopenedAt: '2024-06-03T07:00:00Z',
  },
};

/** What a body of each type holds. */
export const EXAMPLES = {
  one: COMPLETED,
  several: [COMPLETED, REOPENED],
  lines: `${JSON.stringify(COMPLETED)}\n${JSON.stringify(REOPENED)}\n`,
  /** Of binary mode, whose other attributes are in the headers. */
  data: COMPLETED.data,
};

const { data: _data, ...attributes } = COMPLETED;

/** The headers of binary mode, with what they hold. */
export const BINARY_HEADERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]),
);

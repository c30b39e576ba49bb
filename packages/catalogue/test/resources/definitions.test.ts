import { expect } from 'chai';
import {
  filterFieldsOf,
  isComputed,
  jsonName,
  leavesOf,
  type Node,
  newestOf,
  queryFieldsOf,
  type Resource,
  resourceFamilies,
} from '../../src/resources/index.js';

/** The fields that the specification allows in $filter and $orderby, by resource. */
const QUERIED: Readonly<Record<number, string>> = {
  132: 'CreatedBy, ErrorMessageId, HttpStatusCode, Message, Namespace, Status',
  6215: 'AverageCleanupTime, AverageRunTime, AverageSetupTime, CleanupTime, DeviationCleanupTime, DeviationRunTime, DeviationSetupTime, LongestCleanupTime, LongestRunTime, LongestSetupTime, NumberOfCompletedProductionWorkOrders, ProductName, RunTime, SetupTime, ShortestCleanupTime, ShortestRunTime, ShortestSetupTime',
};

/**
 * Fields that Takt allows in $filter although the specification does not, with their paths. The documentation marks
 * each of them.
 */
const BEYOND: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  132: {},
  6215: {
    ProductId: 'ProductStructureVersion.ProductStructure.Product.ProductId',
    ProductKey: 'ProductStructureVersion.ProductStructure.Product.ProductKey',
    ProductStatus: 'ProductStructureVersion.ProductStructure.Product.Status',
    ProductStructureVersionId: 'ProductStructureVersion.ProductStructureVersionId',
    ProductStructureVersionName: 'ProductStructureVersion.Name',
    ProductStructureVersionStatus: 'ProductStructureVersion.Status',
    ProductType: 'ProductStructureVersion.ProductStructure.Product.Type',
    Revision: 'ProductStructureVersion.Revision',
    Version: 'ProductStructureVersion.Version',
  },
};

/**
 * Fields that $filter and $orderby allow beyond the specification, with their paths. An answer contains them only on
 * request.
 */
const ON_REQUEST: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  132: {},
  6215: {
    ProductStructureVersionKey: 'ProductStructureVersion.ProductStructureVersionKey',
    HoursOverPlan: 'PlanComparison.HoursOverPlan',
    RunTimeCount: 'PlanComparison.Processing.RunTimeCount',
    RunTimeDifference: 'PlanComparison.Processing.RunTimeDifference',
    RunTimeOverPlanPercent: 'PlanComparison.Processing.RunTimeOverPlanPercent',
    RunTimeHoursOverPlan: 'PlanComparison.Processing.RunTimeHoursOverPlan',
    RunTimeMeanLow: 'PlanComparison.Processing.RunTimeMeanLow',
    RunTimeMeanHigh: 'PlanComparison.Processing.RunTimeMeanHigh',
    RunTimeVerdict: 'PlanComparison.Processing.RunTimeVerdict',
    SetupTimeCount: 'PlanComparison.Changeover.Setup.SetupTimeCount',
    SetupTimeDifference: 'PlanComparison.Changeover.Setup.SetupTimeDifference',
    SetupTimeOverPlanPercent: 'PlanComparison.Changeover.Setup.SetupTimeOverPlanPercent',
    SetupTimeHoursOverPlan: 'PlanComparison.Changeover.Setup.SetupTimeHoursOverPlan',
    SetupTimeMeanLow: 'PlanComparison.Changeover.Setup.SetupTimeMeanLow',
    SetupTimeMeanHigh: 'PlanComparison.Changeover.Setup.SetupTimeMeanHigh',
    SetupTimeVerdict: 'PlanComparison.Changeover.Setup.SetupTimeVerdict',
    CleanupTimeCount: 'PlanComparison.Changeover.Cleanup.CleanupTimeCount',
    CleanupTimeDifference: 'PlanComparison.Changeover.Cleanup.CleanupTimeDifference',
    CleanupTimeOverPlanPercent: 'PlanComparison.Changeover.Cleanup.CleanupTimeOverPlanPercent',
    CleanupTimeHoursOverPlan: 'PlanComparison.Changeover.Cleanup.CleanupTimeHoursOverPlan',
    CleanupTimeMeanLow: 'PlanComparison.Changeover.Cleanup.CleanupTimeMeanLow',
    CleanupTimeMeanHigh: 'PlanComparison.Changeover.Cleanup.CleanupTimeMeanHigh',
    CleanupTimeVerdict: 'PlanComparison.Changeover.Cleanup.CleanupTimeVerdict',
  },
};

/** The identifier, version, path and page sizes of each resource, from the specification. */
const SPECIFIED: readonly Readonly<Record<string, unknown>>[] = [
  { identifier: 132, version: 11, path: '/system/error-messages', defaultPageSize: 10, maximumPageSize: 80 },
  {
    ...{ identifier: 6215, version: 5, path: '/product/structure-versions/aggregated-production-times' },
    ...{ defaultPageSize: 10, maximumPageSize: 80 },
  },
  {
    ...{ identifier: 2578, version: 38, notFound: 'permissionNotFound' },
    path: '/system/applications/{applicationId}/versions/{applicationVersionId}',
  },
];

type Rights = readonly [permission: string | undefined, duty: string | undefined];
const PRODUCTION_TIMES: Rights = ['production-times', 'read-production-times'];
const APPLICATION_VERSIONS: Rights = ['application-versions', 'read-application-versions'];

/** The permission and the duty that a reader of each resource needs. */
const RIGHTS: Readonly<Record<number, Rights>> = {
  132: ['error-messages', 'read-error-messages'],
  133: ['error-messages', 'read-error-messages'],
  2578: APPLICATION_VERSIONS,
  6215: PRODUCTION_TIMES,
  ...Object.fromEntries(
    [9001, 9002, 9003, 9004, 9005, 9006, 9013, 9017, 9018, 9019, 9020, 9022, 9023].map((number) => [
      number,
      PRODUCTION_TIMES,
    ]),
  ),
  ...Object.fromEntries([9007, 9008, 9009, 9011, 9012].map((number) => [number, APPLICATION_VERSIONS])),
  9010: ['application-versions', 'read-persons'],
  // Any valid token may read this resource.
  9014: [undefined, undefined],
  9015: [undefined, undefined],
  9016: [undefined, undefined],
};

const PLANNED_TIMES = {
  'PlannedProductionTimes.Processing.RunTime': 'read-planned-times',
  'PlannedProductionTimes.Changeover.SetupTime': 'read-planned-times',
  'PlannedProductionTimes.Changeover.CleanupTime': 'read-planned-times',
};

const COMPARED = Object.fromEntries(
  Object.values(ON_REQUEST[6215] ?? {})
    .filter((path) => path.startsWith('PlanComparison.'))
    .map((path) => [path, 'read-planned-times']),
);

const MONTHS_COMPARED = ['Run', 'Setup', 'Cleanup'].map((kind) => `PlanComparison.${kind}TimeHoursOverPlan`);

/** Fields for which a reader needs a further duty besides the duty of the resource. */
const HIDDEN: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  132: { CreatedBy: 'read-persons' },
  133: { CreatedBy: 'read-persons' },
  2578: Object.fromEntries(
    ['CreatedBy', 'ChangedBy'].flatMap((person) =>
      ['UserId', 'FirstName', 'Name', 'UserLink'].map((name) => [`${person}.${name}`, 'read-persons']),
    ),
  ),
  ...Object.fromEntries([9003, 9004].map((number) => [number, PLANNED_TIMES])),
  ...Object.fromEntries([6215, 9005].map((number) => [number, { ...PLANNED_TIMES, ...COMPARED }])),
  9018: Object.fromEntries(
    ['Run', 'Setup', 'Cleanup'].map((kind) => [`PlanComparison.${kind}TimeDifference`, 'read-planned-times']),
  ),
  9023: Object.fromEntries(
    ['PlannedHours', 'ActualHours', 'HoursOverPlan'].map((name) => [name, 'read-planned-times']),
  ),
  9017: Object.fromEntries(
    ['PlannedHours', 'ActualHours', 'HoursOverPlan', 'OverPlanPercent'].map((name) => [
      `AggregatedProductionTimes.${name}`,
      'read-planned-times',
    ]),
  ),
};

/** Fields in the items of collections for which a reader needs a further duty. */
const HIDDEN_IN_ITEMS: Readonly<Record<number, readonly string[]>> = {
  9005: MONTHS_COMPARED,
  9017: Object.keys({ ...PLANNED_TIMES, ...COMPARED }),
};

const hiddenInItems = (nodes: readonly Node[]): readonly string[] =>
  nodes.flatMap((node) => {
    if (node.kind === 'field') return [];
    if (node.kind === 'group') return hiddenInItems(node.children);
    const hidden = leavesOf(node.item().children).filter(({ duties }) => duties.length > 0);
    return hidden.map(({ path }) => path.join('.'));
  });

const resources: readonly Resource[] = resourceFamilies.map(newestOf);

describe('the definitions of the resources', () => {
  for (const specified of SPECIFIED) {
    it(`match the specification: resource ${specified['identifier']}`, () => {
      const resource = resources.find(({ identifier }) => identifier === specified['identifier']);
      expect(resource).to.include(specified);
    });
  }

  it('specify a minimum for identifiers', () => {
    const minimums = resources.flatMap((resource) =>
      resource.pathParameters.map(({ name, minimum }) => [name, minimum]),
    );
    expect(minimums).to.deep.include.members([
      ['errorMessageId', 100_000],
      ['applicationId', 10_000],
      ['applicationVersionId', 100],
    ]);
  });

  for (const [identifier, specified] of Object.entries(QUERIED)) {
    const resource = resources.find((candidate) => candidate.identifier === Number(identifier));

    it(`allow exactly the specified fields in $filter and $orderby, and further fields only on request: ${identifier}`, () => {
      const queried = leavesOf(resource?.fields ?? []).flatMap(({ node, path, isExpandable }) =>
        node.kind === 'field' && node.queryName !== undefined
          ? [{ name: node.queryName, path: path.join('.'), isExpandable }]
          : [],
      );
      const names = queried.filter(({ isExpandable }) => !isExpandable).map(({ name }) => name);
      expect(names.sort().join(', ')).to.equal(specified);
      const onRequest = queried.filter(({ isExpandable }) => isExpandable);
      expect(Object.fromEntries(onRequest.map(({ name, path }) => [name, path]))).to.deep.equal(
        ON_REQUEST[Number(identifier)],
      );
      const known = resource === undefined ? [] : [...queryFieldsOf(resource).values()];
      expect(known.map(({ queryName }) => queryName)).to.have.members(queried.map(({ name }) => name));
    });

    it(`mark each field of $filter that is not in the specification: ${identifier}`, () => {
      const specifiedNames = specified.split(', ');
      const beyond = leavesOf(resource?.fields ?? []).flatMap(({ node, path }) =>
        node.kind === 'field' && node.filterName !== undefined ? [[node.filterName, path.join('.')]] : [],
      );
      expect(Object.fromEntries(beyond)).to.deep.equal(BEYOND[Number(identifier)]);
      const known = resource === undefined ? [] : [...filterFieldsOf(resource).keys()];
      const onRequest = Object.keys(ON_REQUEST[Number(identifier)] ?? {});
      const expected = [...specifiedNames, ...onRequest, ...beyond.map(([name = '']) => name)];
      expect(known).to.have.members(expected.map((name) => name.toLowerCase()));
    });
  }

  for (const resource of resources) {
    describe(resource.title.eng, () => {
      it('require the permission and the duties that this test lists', () => {
        const { identifier, clientPermission, duty, fields } = resource;
        expect([clientPermission, duty]).to.deep.equal(RIGHTS[identifier]);
        const hidden = leavesOf(fields).flatMap(({ path, duties }) =>
          duties.length === 0 ? [] : [[path.join('.'), duties.join()]],
        );
        expect(Object.fromEntries(hidden)).to.deep.equal(HIDDEN[identifier] ?? {});
        expect(hiddenInItems(fields)).to.have.members(HIDDEN_IN_ITEMS[identifier] ?? []);
      });

      it('have a different name for each field of $filter and $orderby', () => {
        const named = leavesOf(resource.fields).filter(
          ({ node }) => node.kind === 'field' && node.queryName !== undefined,
        );
        expect(queryFieldsOf(resource)).to.have.lengthOf(named.length);
        expect(queryFieldsOf(resource)).to.equal(queryFieldsOf(resource));
      });

      it('accept field names in lower case in $filter and $orderby', () => {
        for (const [name, { queryName }] of queryFieldsOf(resource)) {
          expect(name).to.equal(queryName?.toLowerCase());
        }
      });

      it('have no two fields with the same path', () => {
        const paths = leavesOf(resource.fields).map(({ path }) => path.join('.').toLowerCase());
        expect(new Set(paths)).to.have.lengthOf(paths.length);
      });

      it('have a parameter for every placeholder in the path of the resource', () => {
        const named = [...resource.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(resource.pathParameters.map(({ name }) => name)).to.deep.equal(named);
      });

      it('allow null in fields of $orderby only for numbers and texts', () => {
        for (const field of queryFieldsOf(resource).values()) {
          expect(field.source).to.not.equal(undefined);
          if (field.isNullable) expect(field.type, field.name).to.be.oneOf(['integer', 'decimal', 'text']);
        }
      });

      it('have a source in the database for every field of a resource or for none', () => {
        for (const { node, path } of leavesOf(resource.fields)) {
          expect(node.source === undefined, path.join('.')).to.equal(isComputed(resource));
        }
      });

      it('describe every field in a sentence', () => {
        for (const { node, path } of leavesOf(resource.fields)) {
          expect(node.description, path.join('.')).to.match(/^\p{Lu}.*\.$/su);
        }
      });
    });
  }

  it('hide no domain values, because any token can list the values of every domain', () => {
    const shown = resources.flatMap(({ fields }) =>
      leavesOf(fields).flatMap(({ node, duties }) =>
        node.kind === 'field' && duties.length === 0 ? (node.domain ?? []) : [],
      ),
    );
    const hidden = resources.flatMap(({ path, fields }) =>
      leavesOf(fields).flatMap(({ node, duties }) =>
        node.kind === 'field' &&
        node.domain !== undefined &&
        duties.length > 0 &&
        !shown.includes(node.domain)
          ? `${path} ${node.name}`
          : [],
      ),
    );
    expect(hidden).to.deep.equal([]);
  });

  it('change only the first letter of a name to lower case for JSON', () => {
    expect(['HTTPStatusCode', 'HttpStatusCode', 'Name', 'x', ''].map(jsonName)).to.deep.equal([
      ...['hTTPStatusCode', 'httpStatusCode', 'name', 'x', ''],
    ]);
  });
});

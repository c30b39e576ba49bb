import { clientPermissions, duties as everyDuty } from '@takt/access';
import { newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { opened, parseXml } from '@takt/test-support';
import { expect } from 'chai';
import { asking, dutiesOf, insertTargets, type ResourceRule, RULES } from '../access/resource-rules.js';
import {
  ALWAYS_EMPTY,
  EVERYTHING,
  elementOf,
  errorIdIn,
  expansionsOf,
  leavesByPath,
  objectIn,
  pathsOf,
  selectableIn,
  type ToldResource,
  xmlPaths,
} from '../computed/told-resource.js';
import { jsonAt } from '../support/json-at.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const UNKNOWN_FIELD = 100_214;
const WRONG_TYPE = 100_217;

const resources = resourceFamilies.map(newestOf);

/** Each type of the metadata has a function that checks a value, and a literal of a wrong type. */
const valueTypes: Readonly<
  Record<string, { readonly isOne: (value: unknown) => boolean; readonly wrong: string }>
> = {
  Integer: { isOne: Number.isInteger, wrong: "'x'" },
  Decimal: { isOne: (value) => typeof value === 'number', wrong: "'x'" },
  String: { isOne: (value) => typeof value === 'string', wrong: '1' },
  Boolean: { isOne: (value) => typeof value === 'boolean', wrong: '1' },
  DateTime: {
    isOne: (value) => /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(String(value)),
    wrong: '1',
  },
};

describe('in comparison with each resource, /metadata', () => {
  const api = opened(serveApi);
  const tokens = new Map<string, string>();

  before(async () => {
    await insertTargets(api.owner);
    tokens.set('all', await api.createToken('TEM-NO'));
    for (const duty of everyDuty) {
      const duties = everyDuty.filter((one) => one !== duty);
      tokens.set(`without ${duty}`, await api.createToken('TEM-NO', { duties }));
    }
    for (const permission of clientPermissions) {
      const permissions = clientPermissions.filter((one) => one !== permission);
      tokens.set(`without ${permission}`, await api.createToken('TEM-NO', { permissions }));
    }
  });

  const ask = async (who: string, target: string) =>
    await api.client.get(target, { authorization: `Bearer ${tokens.get(who)}` });
  const askWell = async (who: string, target: string): Promise<string> => {
    const { status, text } = await ask(who, target);
    expect(status, `${who}: ${target}: ${text}`).to.equal(200);
    return text;
  };
  const tell = async (who: string, path: string, query = EVERYTHING): Promise<ToldResource> =>
    JSON.parse(await askWell(who, `/metadata?uri=${encodeURIComponent(path)}&verb=GET&${query}`)).metadata;
  const refusalOf = async (who: string, target: string): Promise<unknown> => {
    const { status, text } = await ask(who, target);
    return status === 200 ? undefined : errorIdIn(text);
  };
  const filtered = (target: string, expression: string) =>
    asking(target, `$top=1&$filter=${encodeURIComponent(expression)}`);

  /** The tokens with all rights, without each right that the resource needs, and without a right that it does not need. */
  const readersOf = (path: string): readonly string[] => {
    const rule = ruleOf(path);
    const needed = [rule.permission, ...dutiesOf(rule)].map((right) => `without ${right}`);
    const isNeeded = (who: string) => who === 'all' || needed.includes(who);
    const all = [...tokens.keys()];
    return [...all.filter(isNeeded), ...all.filter((who) => !isNeeded(who)).slice(0, 1)];
  };

  /** The tokens with different content. A missing duty may hide fields of a resource or the whole resource. */
  const readers = ['all', 'without read-planned-times', 'without read-persons'];
  const whoMayRead = async (target: string): Promise<readonly string[]> => {
    const statuses = await Promise.all(readers.map((who) => ask(who, target)));
    return readers.filter((_, index) => statuses[index]?.status === 200);
  };

  for (const resource of resources) {
    const { path } = resource;
    const { target } = ruleOf(path);

    describe(path, () => {
      it('states for each token if the resource is permitted, and names the missing permission or duty', async () => {
        const all = await tell('all', path);
        for (const who of readersOf(path)) {
          const told = await tell(who, path, `${EVERYTHING}&$lang=deu`);
          const { status, text } = await ask(who, asking(target, '$lang=deu'));
          const { accessDenied, accessRuleId, missingPermissionId, errorMessageId } = told.admittance;
          if (status === 200) {
            expect(Object.values(told.admittance), who).to.deep.equal([null, null, null, null]);
            continue;
          }
          expect(status, who).to.equal(403);
          expect(errorMessageId, who).to.equal(errorIdIn(text));
          expect(accessDenied, who).to.equal(jsonAt(JSON.parse(text), 'translatedMessage'));
          const isPermission = clientPermissions.some((permission) => who === `without ${permission}`);
          expect([missingPermissionId === null, accessRuleId === null], who).to.deep.equal([
            !isPermission,
            isPermission,
          ]);
          if (isPermission) {
            const english = await tell(who, path);
            expect({ ...english, admittance: null }, who).to.deep.equal({ ...all, admittance: null });
          }
        }
      });

      it('lists exactly the fields in JSON and XML, for each name in $expand', async () => {
        for (const who of await whoMayRead(target)) {
          const { responseFields } = await tell(who, path);
          const known = responseFields.filter((field) => !ALWAYS_EMPTY.test(field.path));
          const parameters = expansionsOf(known);
          for (const expanded of [[], ...parameters.map((one) => [one]), parameters]) {
            const told = known.filter((field) =>
              expansionsOf([field]).every((one) => expanded.includes(one)),
            );
            const wanted = asking(target, expanded.length === 0 ? '' : `$expand=${expanded.join()}`);
            const object = objectIn(await askWell(who, wanted));
            expect([...leavesByPath(object).keys()].sort(), `${who}: ${wanted}`).to.deep.equal(pathsOf(told));
            const xml = await askWell(who, asking(wanted, '$format=xml'));
            expect([...xmlPaths(elementOf(resource, parseXml(xml)), told)].sort()).to.deep.equal(
              pathsOf(told),
            );
          }
          const unexpanded = await tell(who, path, '');
          expect(unexpanded.responseFields.map((field) => field.path)).to.deep.equal(
            responseFields
              .filter(({ expandParameter }) => expandParameter === null)
              .map((field) => field.path),
          );
        }
      });

      it('gives each field a path that $select accepts', async () => {
        const { responseFields } = await tell('all', path);
        for (const place of new Set(responseFields.map(({ path: at }) => selectableIn(at)))) {
          const fields = responseFields.filter(({ path: at }) => selectableIn(at) === place);
          const expand = expansionsOf(fields).join();
          const query = `$select=${place}${expand === '' ? '' : `&$expand=${expand}`}`;
          const served = [...leavesByPath(objectIn(await askWell('all', asking(target, query)))).keys()];
          // A name without a dot selects every field of this name, and the answer always includes expanded fields.
          const isMeant = (leaf: string) =>
            selectableIn(leaf) === place ||
            (!place.includes('.') && selectableIn(leaf).endsWith(`.${place}`));
          const others = expand === '' ? served.filter((leaf) => !isMeant(leaf)) : [];
          expect(others, query).to.deep.equal([]);
          if (!ALWAYS_EMPTY.test(`${place}[]`)) expect(served, query).to.include(fields[0]?.path);
        }
      });

      it('gives the type of every value, and marks fields with descriptions of their values', async () => {
        for (const who of await whoMayRead(target)) {
          const { responseFields } = await tell(who, path);
          const expand = expansionsOf(responseFields);
          const query = `$showDomainDescriptions=true${expand.length === 0 ? '' : `&$expand=${expand.join()}`}`;
          const leaves = leavesByPath(objectIn(await askWell(who, asking(target, query))));
          const explained = new Set(
            responseFields.filter((field) => field.hasDomainDescription).map((field) => field.path),
          );
          const told = new Set(responseFields.map((field) => field.path));
          for (const leaf of leaves.keys()) {
            if (!told.has(leaf)) expect(explained).to.include(leaf.replace(/Description$/, ''));
          }
          for (const field of responseFields) {
            const type = valueTypes[field.datatype];
            if (type === undefined) throw new Error(`${field.datatype} is no type`);
            for (const value of leaves.get(field.path) ?? []) {
              if (value !== null) expect(type.isOne(value), `${field.path} ${value}`).to.equal(true);
            }
            expect(leaves.has(`${field.path}Description`), field.path).to.equal(field.hasDomainDescription);
            expect(field.applicableDomainValues !== null, field.path).to.equal(field.hasDomainDescription);
          }
        }
      });

      it('links to the possible values of each field', async () => {
        const { responseFields, filterFields } = await tell('all', path);
        const lists = [...responseFields, ...filterFields].flatMap(
          (field) => field.applicableDomainValues ?? [],
        );
        for (const address of new Set(lists)) {
          expect(address.startsWith(`${SERVED_AT}/`), address).to.equal(true);
          const text = await askWell(
            'without error-messages',
            `${address.slice(SERVED_AT.length)}&$top=$max`,
          );
          const keys: readonly unknown[] = JSON.parse(text).domainValues.map(({ key }: Key) => key);
          const held = responseFields.filter((field) => field.applicableDomainValues === address);
          const expand = expansionsOf(held).join();
          const query = expand === '' ? '' : `$expand=${expand}`;
          const leaves = leavesByPath(objectIn(await askWell('all', asking(target, query))));
          for (const value of held.flatMap((field) => leaves.get(field.path) ?? [])) {
            if (value !== null) expect(keys, address).to.include(String(value));
          }
        }
      });

      it('lists exactly the fields that $filter accepts, with their types', async () => {
        const everything = await tell('all', path);
        for (const who of await whoMayRead(target)) {
          const { filterFields, responseFields } = await tell(who, path);
          if (resource.kind === 'detail') {
            expect(filterFields).to.deep.equal([]);
            continue;
          }
          for (const { name, datatype } of filterFields) {
            expect(await refusalOf(who, filtered(target, `${name} ne null`)), name).to.equal(undefined);
            const wrong = `${name} eq ${valueTypes[datatype]?.wrong}`;
            expect(await refusalOf(who, filtered(target, wrong)), wrong).to.equal(WRONG_TYPE);
          }
          const known = new Set(filterFields.map(({ name }) => name));
          const others = [...everything.filterFields, ...everything.responseFields, ...responseFields];
          for (const name of new Set(others.map((field) => field.name).filter((one) => !known.has(one)))) {
            expect(await refusalOf(who, filtered(target, `${name} ne null`)), name).to.equal(UNKNOWN_FIELD);
          }
        }
      });

      it('lists exactly the fields that $orderby accepts', async () => {
        const everything = await tell('all', path);
        for (const who of await whoMayRead(target)) {
          const { sortableFields } = await tell(who, path);
          if (resource.kind === 'detail') {
            expect(sortableFields).to.deep.equal([]);
            continue;
          }
          const known = new Set(sortableFields.map(({ name }) => name));
          const others = [...everything.filterFields, ...everything.responseFields];
          for (const name of new Set([...known, ...others.map((field) => field.name)])) {
            const refusal = await refusalOf(who, asking(target, `$top=1&$orderby=${name}%20desc`));
            expect(refusal, `${who} ${name}`).to.equal(known.has(name) ? undefined : UNKNOWN_FIELD);
          }
        }
      });

      it('gives the maximum number of rows per page', async () => {
        const { maximumResultRows } = await tell('all', path);
        const { status, text } = await ask('all', asking(target, '$top=$max'));
        expect(status).to.equal(maximumResultRows === null ? 400 : 200);
        if (maximumResultRows === null) return;
        expect(jsonAt(JSON.parse(text), 'paging.pageSize')).to.equal(maximumResultRows);
      });

      it('lists the parameters with their minimum values, and marks the required parameters', async () => {
        const { uriParameters } = await tell('all', path);
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(
          uriParameters.filter((one) => one.minimumValue !== null).map(({ name }) => name),
        ).to.deep.equal(named);
        for (const { name, minimumValue, isRequired } of uriParameters) {
          if (minimumValue !== null) {
            const low = Object.fromEntries(named.map((one) => [one, one === name ? minimumValue - 1 : 1e9]));
            const address = path.replace(/\{(\w+)\}/g, (_, one: string) => String(low[one]));
            expect(errorIdIn((await ask('all', address)).text), address).to.equal(100_300);
          } else if (isRequired) {
            const { pathname, searchParams } = new URL(SERVED_AT + target);
            searchParams.delete(name);
            const { status, text } = await ask('all', `${pathname}?${searchParams}`);
            expect([status, jsonAt(JSON.parse(text), 'parameters.0.value')]).to.deep.equal([400, name]);
          }
        }
        const isSearched = uriParameters.some(({ name }) => name === 'search');
        const found = await askWell('all', asking(target, 'search=nowhere-to-be-found'));
        const rows = resource.kind === 'list' ? Object.values<unknown>(JSON.parse(found))[0] : [];
        if (resource.kind === 'list') expect(Array.isArray(rows) && rows.length === 0).to.equal(isSearched);
      });
    });
  }
});

interface Key {
  readonly key: string;
}

function ruleOf(path: string): ResourceRule {
  const rule = RULES[path];
  if (rule === undefined || !('target' in rule)) throw new Error(`${path} has no rule`);
  return rule;
}

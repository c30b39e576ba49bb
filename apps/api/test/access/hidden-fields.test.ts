import { duties as everyDuty } from '@takt/access';
import {
  expandableIn,
  jsonName,
  leavesOf,
  newestOf,
  resourceFamilies,
  restrictFamily,
} from '@takt/catalogue/resources';
import { opened, someOf } from '@takt/test-support';
import { expect } from 'chai';
import { comparable } from '../support/http-client.js';
import { serveApi } from '../support/serve-api.js';
import { hiddenNamesOf, namingQueries } from './hidden-names.js';
import { asking, dutiesOf, insertTargets, RULES } from './resource-rules.js';

/** The resources with fields that need a duty. The system test asks for every field in every way and format. */
const restricted = resourceFamilies
  .map((family) => ({ family, resource: newestOf(family) }))
  .map((one) => ({ ...one, hidden: leavesOf(one.resource.fields).filter(({ duties }) => duties.length > 0) }))
  .filter(({ hidden }) => hidden.length > 0);

describe('a field that needs a duty', () => {
  const api = opened(serveApi);
  before(() => insertTargets(api.owner));

  for (const { family, resource, hidden } of restricted) {
    const rule = RULES[resource.path];
    if (rule === undefined || !('target' in rule)) throw new Error(`no rule for ${resource.path}`);
    const { target } = rule;
    const needed = dutiesOf(rule);

    it(`is absent and unknown for readers without the duty: ${resource.path}`, async () => {
      const duties = everyDuty.filter(
        (duty) => needed.includes(duty) || !hidden.some((leaf) => leaf.duties.includes(duty)),
      );
      const authorization = `Bearer ${await api.createToken('TEM-NO', { duties })}`;
      const ask = (query: string) =>
        api.client.get(asking(target, query), { authorization, 'x-request-id': 'r-1' });
      const shown = newestOf(restrictFamily(family, duties));
      const expand = [...new Set(expandableIn(shown).map(({ expandedBy }) => expandedBy))].join();
      const { status, text } = await ask(`$select=*${expand === '' ? '' : `&$expand=${expand}`}`);
      expect(status, text).to.equal(200);
      for (const leaf of someOf(hidden, 2)) {
        const [name] = hiddenNamesOf(resource, leaf).filter(({ isShownElsewhere }) => !isShownElsewhere);
        if (name === undefined) continue;
        if (!name.written.includes('.')) expect(text).not.to.include(`"${jsonName(name.part)}"`);
        const absent = namingQueries(resource, name.absent);
        for (const [index, query] of namingQueries(resource, name.written).entries()) {
          const [named, unnamed] = [await ask(query), await ask(absent[index] ?? '')];
          expect(named.status, query).to.equal(400);
          const told = JSON.stringify(comparable(unnamed)).replaceAll(name.absentPart, name.part);
          expect(JSON.stringify(comparable(named)), query).to.equal(told);
        }
      }
    });
  }
});

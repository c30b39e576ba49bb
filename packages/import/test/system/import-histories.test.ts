import { addCompany } from '@takt/figures/master-data';
import {
  completion,
  opened,
  type Random,
  randomFrom,
  reopening,
  shareOf,
  structureVersion,
  testSeed,
} from '@takt/test-support';
import { expect } from 'chai';
import { type ImportFixture, openImportFixture } from '../import-fixture.js';

/** Histories of each kind of file. */
const HISTORIES = shareOf(500);
const [STEPS, OBJECTS, PRODUCTS] = [8, 5, 2];

const OPERATIONS = `
what: operations
columns: {workOrderOperationId: Nr, productStructureVersionId: Version, completedAt: Fertig, runTime: {column: Minuten, unit: min}}`;
const PLANS = `
what: plans
columns: {productStructureVersionId: Nr, name: Name, product.productId: Artikel, product.name: Artikelname,
  plannedProductionTimes.runTime: {column: Minuten, unit: min}}`;

/** The states of an object, the newest last; each with the import that made it, or undefined for another producer. */
type Stack = { readonly by: number | undefined; readonly content: string | null }[];
type Model = Map<string, Stack>;

const topOf = (model: Model, object: string) => model.get(object)?.at(-1)?.content ?? null;
const push = (model: Model, object: string, by: number | undefined, content: string | null) =>
  model.set(object, [...(model.get(object) ?? []), { by, content }]);

/** Undoes an import in the model. Returns the names of the objects that changed later. */
function undoIn(model: Model, number: number): readonly string[] {
  return [...model].flatMap(([object, stack]) => {
    if (!stack.some(({ by }) => by === number)) return [];
    if (stack.at(-1)?.by !== number) return [object];
    model.set(object, stack.slice(0, -1));
    return [];
  });
}

describe(`undo and repetition of imports, over ${2 * HISTORIES} random histories (seed ${testSeed()})`, () => {
  const test: ImportFixture = opened(openImportFixture);
  let unique = 0;
  const next = () => {
    unique += 1;
    return unique;
  };

  async function newCompany(): Promise<string> {
    const code = `H-${next()}`;
    await addCompany(test.database, code, code);
    return code;
  }
  const some = (random: Random) =>
    random
      .shuffle(Array.from({ length: OBJECTS }, (_, place) => place + 1))
      .slice(0, 1 + random.below(OBJECTS));

  // Several tests, so that none of them lasts long.
  const parts = Array.from({ length: Math.ceil(HISTORIES / 50) }, (_, part) => part);
  const lengthOf = (part: number) => Math.min(50, HISTORIES - part * 50);

  for (const part of parts) {
    it(`restores operations exactly, apart from those that changed later: part ${part}`, async () => {
      const random = randomFrom(testSeed() + part);
      for (let history = 0; history < lengthOf(part); history += 1) {
        await playOperations(random, await newCompany());
      }
    });
  }

  async function playOperations(random: Random, company: string): Promise<void> {
    const model: Model = new Map();
    const revisions = new Map<number, number>();
    const imports: number[] = [];
    const stored = async () => {
      const { rows } = await test.database.pool.query(
        `SELECT work_order_operation_id::text AS object, revision::integer,
           CASE WHEN run_time IS NOT NULL THEN concat_ws(';', product_structure_version_id, run_time::text) END AS content
         FROM takt.work_order_operations JOIN takt.companies USING (company_id) WHERE code = $1`,
        [company],
      );
      for (const { object, revision } of rows) revisions.set(Number(object), revision);
      return Object.fromEntries(rows.map(({ object, content }) => [object, content]));
    };
    for (let step = 0; step < STEPS; step += 1) {
      const action = random.below(4);
      if (action <= 1) {
        const rows = some(random).map((object) => [object, 1 + random.below(3), next()] as const);
        const contentOf = (version: number, minutes: number) =>
          `${version};${(Math.round((minutes / 60) * 1e6) / 1e6).toFixed(6)}`;
        const lines = rows.map(
          ([object, version, minutes]) => `${object};${version};2026-03-01 12:00;${minutes}`,
        );
        const file = ['Nr;Version;Fertig;Minuten', ...lines, ''].join('\n');
        const { number, ...counts } = await test.import(file, OPERATIONS, {
          companyCode: company,
          ignoresDoubts: true,
        });
        const isNew = rows.filter(([object]) => topOf(model, String(object)) === null).length;
        expect([counts.new, counts.changed]).to.deep.equal([isNew, rows.length - isNew]);
        for (const [object, version, minutes] of rows) {
          push(model, String(object), number, contentOf(version, minutes));
        }
        imports.push(number ?? 0);
        const again = await test.import(file, OPERATIONS, { companyCode: company, ignoresDoubts: true });
        expect([again.unchanged, again.number]).to.deep.equal([rows.length, undefined]);
      } else if (action === 2) {
        const object = 1 + random.below(OBJECTS);
        const revision = (revisions.get(object) ?? 0) + 1;
        const data = { database: company, workOrderOperationId: object, revision };
        if (random.below(3) === 0) {
          await test.apply([{ ...reopening(object, { ...data }) }]);
          push(model, String(object), undefined, null);
        } else {
          const runTime = next();
          await test.apply([completion(object, { ...data, productStructureVersionId: 9, runTime })]);
          push(model, String(object), undefined, `9;${runTime.toFixed(6)}`);
        }
      } else if (imports.length > 0) {
        const number = random.pick(imports);
        imports.splice(imports.indexOf(number), 1);
        const { later } = await test.undo(number);
        expect([...later].sort()).to.deep.equal([...undoIn(model, number)].sort());
      }
      const now = await stored();
      for (const object of model.keys()) {
        expect(now[object] ?? null, `operation ${object} of ${company}`).to.equal(topOf(model, object));
      }
    }
  }

  for (const part of parts) {
    it(`restores plans and products exactly, apart from those that changed later: part ${part}`, async () => {
      const random = randomFrom(testSeed() - 1 - part);
      for (let history = 0; history < lengthOf(part); history += 1) {
        await playPlans(random, await newCompany());
      }
    });
  }

  async function playPlans(random: Random, company: string): Promise<void> {
    const model: Model = new Map();
    const products: Model = new Map();
    const imports: number[] = [];
    const productOf = (object: number) => (object % PRODUCTS) + 1;
    for (let step = 0; step < STEPS; step += 1) {
      const action = random.below(4);
      if (action <= 1) {
        const names = new Map<number, string>();
        const rows = some(random).map((object) => {
          const product = productOf(object);
          names.set(product, names.get(product) ?? `P${next()}`);
          return {
            object,
            product,
            productName: names.get(product),
            name: `V${next()}`,
            minutes: 6 * (1 + random.below(100)),
          };
        });
        const lines = rows.map(({ object, product, productName, name, minutes }) =>
          [object, name, product, productName, minutes].join(';'),
        );
        const file = ['Nr;Name;Artikel;Artikelname;Minuten', ...lines, ''].join('\n');
        const { number } = await test.import(file, PLANS, { companyCode: company, ignoresDoubts: true });
        for (const { object, name, minutes } of rows) {
          push(model, String(object), number, `${name} ${minutes / 60}`);
        }
        for (const [product, name] of names) push(products, String(product), number, name);
        imports.push(number ?? 0);
        expect((await test.import(file, PLANS, { companyCode: company })).unchanged).to.equal(rows.length);
      } else if (action === 2) {
        const object = 1 + random.below(OBJECTS);
        const [name, productName] = [`V${next()}`, `P${next()}`];
        const product = {
          productId: productOf(object),
          status: 4,
          name: productName,
          type: 'K',
          description: '',
        };
        const plannedProductionTimes = { runTime: 0.5, setupTime: null, cleanupTime: null };
        const changedAt = new Date().toISOString();
        await test.apply([
          structureVersion(object, { database: company, changedAt, name, product, plannedProductionTimes }),
        ]);
        push(model, String(object), undefined, `${name} 0.5`);
        push(products, String(productOf(object)), undefined, productName);
      } else if (imports.length > 0) {
        const number = random.pick(imports);
        imports.splice(imports.indexOf(number), 1);
        const { later } = await test.undo(number);
        // A product is named if it changed later, is not as it was, and one of its structure versions is restored.
        const restored = [...model]
          .filter(([, stack]) => stack.at(-1)?.by === number)
          .map(([object]) => Number(object));
        const staying = [...products].filter(([product, stack]) => {
          const place = stack.findIndex(({ by }) => by === number);
          const [before, now] = [stack[place - 1]?.content, stack.at(-1)?.content];
          const isTouched = restored.some((object) => String(productOf(object)) === product);
          return place > 0 && isTouched && place < stack.length - 1 && before !== now;
        });
        const expected = [...undoIn(model, number), ...staying.map(([product]) => `product ${product}`)];
        // A product that an undone import added is still stored, so it may be named too.
        const added = [...products]
          .filter(([, stack]) => stack[0]?.by === number)
          .map(([product]) => `product ${product}`);
        const named = later.filter((name) => !added.includes(name));
        expect(named.sort()).to.deep.equal(expected.sort());
        undoIn(products, number);
      }
      await expectPlans(company, model, products);
    }
  }

  async function expectPlans(company: string, model: Model, products: Model): Promise<void> {
    const { rows } = await test.database.pool.query(
      `SELECT product_structure_version_id::text AS object, version.name || ' ' || run_time::float8 / 1e6 AS content,
         product_id::text AS product, product_name AS "productName"
       FROM takt.product_structure_versions version JOIN takt.companies USING (company_id)
       WHERE code = $1 AND changed_at IS NOT NULL ORDER BY 1`,
      [company],
    );
    const expected = [...model.keys()].filter((object) => topOf(model, object) !== null).sort();
    expect(
      rows.map(({ object, content }) => [object, content]),
      company,
    ).to.deep.equal(expected.map((object) => [object, topOf(model, object)]));
    for (const { product, productName } of rows) {
      expect(productName, `product ${product} of ${company}`).to.equal(topOf(products, product));
    }
  }
});

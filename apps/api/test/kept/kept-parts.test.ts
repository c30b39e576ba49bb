import { newestOf, resourceFamilies, restrictFamily } from '@takt/catalogue/resources';
import { expect } from 'chai';
import { keepPart } from '../../src/respond/kept-parts.js';
import { productProductionTimes } from '../support/resources.js';

const family = resourceFamilies.find(({ identifier }) => identifier === productProductionTimes.identifier);
if (family === undefined) throw new Error('products by hours are not served');

describe('A part of a page that is kept', () => {
  const shown = newestOf(family);
  const restricted = newestOf(restrictFamily(family, ['read-production-times']));
  const one = () => ({}) as Parameters<typeof keepPart>[0];
  const reader = () => {
    let reads = 0;
    return {
      read: async () => ({ number: ++reads }) as never,
      reads: () => reads,
    };
  };

  it('is read once for all who ask for the same within a minute', async () => {
    const { read, reads } = reader();
    const pool = one();
    const parts = await Promise.all([
      keepPart(pool, shown, ['TEM-NO', 'from'], read),
      keepPart(pool, shown, ['TEM-NO', 'from'], read),
    ]);
    expect(await keepPart(pool, shown, ['TEM-NO', 'from'], read)).to.equal(parts[0]);
    expect(reads()).to.equal(1);
  });

  it('is another one for another company, other rights, other parameters and another database', async () => {
    const { read, reads } = reader();
    const pool = one();
    await keepPart(pool, shown, ['TEM-NO', 'from'], read);
    await keepPart(pool, shown, ['TEM-SE', 'from'], read);
    await keepPart(pool, shown, ['TEM-NO', 'to'], read);
    await keepPart(pool, restricted, ['TEM-NO', 'from'], read);
    await keepPart(one(), shown, ['TEM-NO', 'from'], read);
    expect(reads()).to.equal(5);
  });

  it('is read again after a failure', async () => {
    const { read, reads } = reader();
    const pool = one();
    const failed = keepPart(pool, shown, ['TEM-NO'], () => Promise.reject(new Error('away')));
    expect(await failed.catch(({ message }: Error) => message)).to.equal('away');
    await keepPart(pool, shown, ['TEM-NO'], read);
    expect(reads()).to.equal(1);
  });
});

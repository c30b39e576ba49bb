import { expect } from 'chai';
import {
  exactInstant,
  instantInZone,
  localInstant,
  monthNumberAt,
  timeZoneOf,
} from '../../src/pages/local-time.js';

const page = (timeZone: string) => ({
  language: 'eng' as const,
  company: { companyId: 1, code: 'TEM', name: 'Tempus', timeZone, timeUnit: 'h' as const },
});
const at = (instant: string) => new Date(instant);

describe('A time on a page or in a file', () => {
  it('is in the time zone of the company, with the name of the zone, in summer and in winter', () => {
    const write = exactInstant(page('Europe/Oslo'));
    expect(write(at('2025-07-01T10:00:05Z'))).to.match(/^Jul 1, 2025, 12:00:05\sPM GMT\+2$/);
    expect(write(at('2025-12-31T23:30:00Z'))).to.match(/^Jan 1, 2026, 12:30:00\sAM GMT\+1$/);
    expect(exactInstant(page('UTC'))(at('2025-07-01T10:00:05Z'))).to.match(/^Jul 1, 2025, 10:00:05\sAM UTC$/);
    expect(instantInZone(page('Asia/Kathmandu'), at('2025-07-01T10:00:05Z'))).to.match(
      /^Jul 1, 2025, 3:45\sPM Asia\/Kathmandu$/,
    );
  });

  it('has a form in files that spreadsheets recognize', () => {
    const write = localInstant(page('Europe/Oslo'));
    expect(write('2025-07-01T10:00:05Z')).to.equal('2025-07-01 12:00:05');
    expect(write('2025-12-31T23:30:00.4Z')).to.equal('2026-01-01 00:30:00');
    expect(localInstant(page('Europe/Paris'))('1899-12-31T23:30:00Z')).to.equal('1899-12-31 23:39:21');
    expect(localInstant(page('UTC'))('0001-01-02T03:04:05Z')).to.equal('0001-01-02 03:04:05');
    expect(localInstant(page('UTC'))('0999-01-02T03:04:05Z')).to.equal('0999-01-02 03:04:05');
    expect([write(null), write('infinity')]).to.deep.equal([null, 'infinity']);
  });

  it('belongs to the month of its date in the time zone of the company', () => {
    const instant = at('2025-12-31T11:00:00Z');
    const months = ['Pacific/Kiritimati', 'UTC'].map((timeZone) => monthNumberAt(page(timeZone), instant));
    expect(months).to.deep.equal([12 * 2026, 12 * 2025 + 11]);
    expect(monthNumberAt(page('Etc/GMT+12'), at('2026-01-01T11:59:59Z'))).to.equal(12 * 2025 + 11);
  });

  it('is in UTC if no company is known', () => {
    expect(timeZoneOf({ company: undefined })).to.equal('UTC');
  });
});

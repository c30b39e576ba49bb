import type { Person } from '../visit.js';
import { type DashboardPage, writeMessagePage } from './frame.js';

type Place = Pick<DashboardPage, 'base' | 'person' | 'path'>;

/** To who may only look. */
export function writeUntrusted(place: Place & { readonly person: Person }): string {
  return writeMessagePage(
    { ...place, title: 'Refused' },
    'You may look at the queues and not change them, so nothing was done.',
    <p>
      It needs the duty <code>operate-queues</code>. Who administers Takt can give it:{' '}
      <code>npx takt user duty {place.person.pid ?? 'PID'} operate-queues</code>.
    </p>,
  );
}

/** To who does not work for all companies. */
export function writeStranger(place: Place): string {
  return writeMessagePage(
    { ...place, title: 'Queues' },
    'The queues hold events of companies that are not yours.',
    <p>
      This view shows every event of every company as it stands in the queue, so it is for people who operate
      all companies. What was rejected of your own is under{' '}
      <a href={`${place.base}/rejected`}>Rejected events</a>. An administrator of Takt can give you the duty:{' '}
      <code>npx takt user duty {place.person?.pid ?? 'PID'} operate-all-companies</code>.
    </p>,
  );
}

/** Where a rejected event is looked for. */
export function writeGone(place: Place): string {
  return writeMessagePage(
    { ...place, title: 'Not found' },
    'There is no such rejected event, or no longer: it was corrected, retried or discarded meanwhile, or is not yours to see.',
    <p>
      <a href={`${place.base}/rejected`}>Rejected events</a>
    </p>,
  );
}

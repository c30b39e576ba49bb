import type { Duty } from '@takt/access';
import type { Person } from '../visit.js';
import type { DashboardText } from '../words.js';
import { type DashboardPage, writeMessagePage } from './frame.js';
import { Prose } from './parts.js';

type ErrorPageContext = Pick<DashboardPage, 'site' | 'person' | 'path' | 'words'>;

interface Refusal {
  readonly problem: DashboardText;
  readonly remedy: DashboardText;
}

const REFUSALS: Readonly<Partial<Record<Duty, Refusal>>> = {
  'operate-queues': { problem: 'onlyLook', remedy: 'needsDuty' },
  'manage-access': { problem: 'notManager', remedy: 'needsManage' },
};
const OTHER_REFUSAL: Refusal = { problem: 'notToSee', remedy: 'needsDuty' };

/** Writes the page for a person who lacks the duty for the requested page. */
export function writeUntrusted(
  page: ErrorPageContext & { readonly person: Person; readonly duty: Duty },
): string {
  const { words, person, duty } = page;
  const { problem, remedy } = REFUSALS[duty] ?? OTHER_REFUSAL;
  return writeMessagePage(
    { ...page, title: words.say('refused') },
    words.say(problem),
    <p>
      <Prose text={words.say(remedy, String(person.pid ?? 'PID'), duty)} />
    </p>,
  );
}

/** Writes the page for a person who does not operate all companies. */
export function writeStranger(page: ErrorPageContext): string {
  const { words, person, site } = page;
  return writeMessagePage(
    { ...page, title: words.say('queues') },
    words.say('notYours'),
    <p>
      <Prose text={words.say('notYoursMore', String(person?.pid ?? 'PID'))} href={`${site.base}/rejected`} />
    </p>,
  );
}

/** Writes the page for a rejected event that does not exist. */
export function writeGone(page: ErrorPageContext): string {
  const { words, site } = page;
  return writeMessagePage(
    { ...page, title: words.say('notFound') },
    words.say('eventGone'),
    <p>
      <a href={`${site.base}/rejected`}>{words.say('rejectedEvents')}</a>
    </p>,
  );
}

/** Writes the page for a job that does not exist. */
export function writeJobGone(page: ErrorPageContext): string {
  const { words, site } = page;
  return writeMessagePage(
    { ...page, title: words.say('notFound') },
    words.say('jobGone'),
    <p>
      <a href={`${site.base}/queues`}>{words.say('queues')}</a>
    </p>,
  );
}

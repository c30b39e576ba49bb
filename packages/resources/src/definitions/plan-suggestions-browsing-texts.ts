import { inEveryLanguage } from '@takt/texts';

/** What the page of suggested plans calls its views and columns, where it differs from other pages. */
export const texts = inEveryLanguage('plan-suggestions-page', {
  tooShort: 'Too short',
  tooShortSummary: 'Plans that are shorter than what operations take, with the hours that this has cost.',
  allSummary: 'Every plan that is 10 % or more too short or too long, as at least 20 operations show.',
  planned: 'Planned',
  suggested: 'Suggested',
  kind: 'Time',
  figuresHelp:
    'Planned, suggested and their difference are hours for one operation; the suggested time is the average of all operations. Hours over plan: what all of them took more than planned. Hours a year: what the suggested plan would add in a year, or take away.',
});

import { inEveryLanguage, languages, type Translations } from '@takt/texts';
import { headings as times } from './aggregated-production-times-headings.js';

/** What stands behind the kind of time. */
const difference: Translations = {
  eng: 'difference to plan',
  nob: 'differanse mot plan',
  swe: 'skillnad mot plan',
  dan: 'forskel fra plan',
  deu: 'Differenz zum Plan',
  fra: 'différence avec le prévu',
  spa: 'diferencia con lo previsto',
  pol: 'różnica względem planu',
};
const percent: Translations = {
  eng: 'over plan',
  nob: 'utover plan',
  swe: 'över plan',
  dan: 'over plan',
  deu: 'über Plan',
  fra: 'au-delà du prévu',
  spa: 'por encima de lo previsto',
  pol: 'ponad plan',
};
const hours: Translations = {
  eng: 'hours over plan',
  nob: 'timer utover plan',
  swe: 'timmar över plan',
  dan: 'timer over plan',
  deu: 'Stunden über Plan',
  fra: 'heures au-delà du prévu',
  spa: 'horas por encima de lo previsto',
  pol: 'godziny ponad plan',
};

function behind(time: Translations, what: Translations): Translations {
  const texts = languages.map((language) => [language, `${time[language]}, ${what[language]}`]);
  return Object.fromEntries(texts) as Translations;
}

/** Headings of planned times compared with actual ones, by name. */
export const headings = {
  RunTimeDifference: behind(times.RunTime, difference),
  RunTimeOverPlanPercent: behind(times.RunTime, percent),
  RunTimeHoursOverPlan: behind(times.RunTime, hours),
  SetupTimeDifference: behind(times.SetupTime, difference),
  SetupTimeOverPlanPercent: behind(times.SetupTime, percent),
  SetupTimeHoursOverPlan: behind(times.SetupTime, hours),
  CleanupTimeDifference: behind(times.CleanupTime, difference),
  CleanupTimeOverPlanPercent: behind(times.CleanupTime, percent),
  CleanupTimeHoursOverPlan: behind(times.CleanupTime, hours),
  ...inEveryLanguage('plan-comparison', {
    PlanComparison: 'Compared with plan',
    HoursOverPlan: 'Hours over plan',
  }),
};

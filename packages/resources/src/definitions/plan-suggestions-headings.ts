import { inEveryLanguage } from '@takt/texts';

export const headings = inEveryLanguage('plan-suggestions', {
  ProductStructureVersionPlanSuggestions: 'Plans to correct',
  PlanSuggestionsSummary:
    'Planned times that differ by 10 % or more from what at least 20 operations took, with what they should be.',
  PlanSuggestionId: 'Suggestion',
  PlanSuggestion: 'Suggested plan',
  Kind: 'Kind of time',
  PlannedTime: 'Planned time',
  SuggestedTime: 'Suggested time',
  TimeDifference: 'Difference',
  OverPlanPercent: 'Over plan',
  NumberOfOperations: 'Operations',
  HoursOverPlan: 'Hours over plan',
  HoursAYear: 'Hours a year',
});

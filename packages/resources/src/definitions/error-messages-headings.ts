import { inEveryLanguage } from '@takt/texts';

import { sharedHeadings } from './shared-texts.js';

/** Headings of error messages, by name. */
export const headings = {
  ...sharedHeadings,
  ...inEveryLanguage('error-messages', {
    ErrorMessages: 'Error messages',
    ErrorMessage: 'Error message',
    ErrorMessageId: 'ID',
    HttpStatusCode: 'HTTP status',
    Message: 'Message',
    AvailableTranslations: 'Translations',
    TechnicalDescription: 'Technical description',
    Translations: 'Translations',
    Translation: 'Translation',
    Language: 'Language',
    ErrorMessagesSummary: 'Every error that the service can answer with, and what to do about it.',
    ErrorMessageSummary: 'One error message with all its translations.',
  }),
};

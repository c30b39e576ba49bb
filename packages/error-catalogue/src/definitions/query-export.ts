import type { ErrorDefinitions } from '../error-definition.js';

/** Errors about a list as a file. */
export const queryExportErrors = {
  exportOfOneObject: {
    errorMessageId: 100223,
    status: 400,
    namespace: 'query',
    parameters: ['format'],
    technicalDescription:
      'A format of whole lists was asked for of a resource that is a single object. Ask for the list, or for the object in a format of documents.',
    text: '$format={0} works on lists only, and this resource is a single object. Use another $format.',
  },
  parameterOfPages: {
    errorMessageId: 100224,
    status: 400,
    namespace: 'query',
    parameters: ['parameter', 'format'],
    technicalDescription:
      'The format gives the whole list, and the parameter is about a page of it. Leave it out; narrow $filter where fewer rows are wanted.',
    text: '$format={1} gives the whole list, so “{0}” means nothing there. Leave it out, or narrow $filter to get fewer rows.',
  },
  decimalWithoutCsv: {
    errorMessageId: 100225,
    status: 400,
    namespace: 'query',
    parameters: [],
    technicalDescription:
      '$decimal says how numbers are written in CSV; every other format has one way to write them. Leave it out, or ask for $format=csv.',
    text: '$decimal works with $format=csv only. Leave it out, or ask for $format=csv.',
  },
  tooManyRowsForSheet: {
    errorMessageId: 100226,
    status: 400,
    namespace: 'query',
    parameters: ['rows', 'limit'],
    technicalDescription:
      'A sheet of a workbook holds no more rows than the limit, below its header. Narrow $filter, or take the list as CSV, which has no limit.',
    text: 'The list has {0} rows, and a sheet holds {1}. Narrow $filter, or use $format=csv.',
  },
} as const satisfies ErrorDefinitions<'query'>;

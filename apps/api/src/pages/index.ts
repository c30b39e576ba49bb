import type { Writer } from '../representations/writer.js';
import { writeDetailPage } from './detail-page.js';
import { writeErrorPage } from './error-page.js';
import { writeIndexPage } from './index-page.js';
import { writeListPage } from './list-page.js';

export { openingAddress } from './browse.js';
export { writePage } from './frame.js';
export { aboutList, columnsOfPage } from './list-file.js';
export { writeRefusedList } from './list-page.js';
export {
  asksShownColumns,
  documentAddress,
  HiddenInputs,
  OPEN,
  ofReaderOrPage,
  ownAddress,
  parameterOf,
  RESOURCES_VIEW,
  returnPath,
  SAVED,
  UNIT,
  writtenIn,
} from './own-links.js';
export {
  optionsForPeople,
  readPageForm,
  refusedText,
} from './page-form.js';
export { partsOf, sizeOfPart } from './page-parts.js';
export { hasPeriod } from './period.js';
export { COMPARE_VIEW, MOST_COMPARED } from './side-by-side.js';
export { type SignInPage, type SignInProblem, writeSignInPage } from './sign-in-page.js';

/** Writes documents as pages for people. The pages have a style, are translated, and can be used without a script. */
export const htmlWriter: Writer = {
  contentType: 'text/html; charset=utf-8',
  list: writeListPage,
  detail: writeDetailPage,
  index: writeIndexPage,
  error: writeErrorPage,
};

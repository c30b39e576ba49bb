export { assetRoutes, docsScript, liveScript, pageScript } from './assets.js';
export { type Bar, BarChart } from './bar-chart.js';
export {
  chosenLanguage,
  companyChoice,
  languageChoice,
  timeUnitChoice,
} from './choices.js';
export { escapeHtml } from './escape-html.js';
export { type Place, writeFrame } from './frame.js';
export { Histogram, type HistogramBin } from './histogram.js';
export { type Markup, ready, render, type WithChildren } from './markup.js';
export { Message } from './message.js';
export { type ChartedMonth, type Level, MonthChart } from './month-chart.js';
export { Pager } from './pager.js';
export { MAY_IMPORT, mayManage, OPENING_VIEW, OPERATIONS_PATH, placesFor } from './places.js';
export { PlainTable } from './plain-table.js';
export { SignInForm } from './sign-in-form.js';
export { type Column, type ColumnGroup, Table } from './table.js';
export { TimeChart, type TimedValue } from './time-chart.js';
export { type FrameTexts, frameTexts, frameTextsIn } from './words.js';

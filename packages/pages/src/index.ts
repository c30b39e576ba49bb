export { Document, writeDocument } from './document.js';
export { escapeHtml } from './escape-html.js';
export { Histogram, type HistogramBin } from './histogram.js';
export { type Markup, ready, render, type WithChildren } from './markup.js';
export { type ChartedMonth, type Level, MonthChart } from './month-chart.js';
export { PasswordForm } from './password-form.js';
export { hashOfStyle, pageStyle, readStyle } from './style.js';
export { type Column, type ColumnGroup, Table } from './table.js';

export { escapeHtml } from './escape-html.js';
export { type Frame, startOfFrame } from './frame.js';
export { type PasswordFormTexts, passwordForm } from './password-form.js';
export { hashOfStyle, pageStyle, readStyle } from './style.js';

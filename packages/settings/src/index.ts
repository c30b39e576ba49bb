export { type LogLevel, resolveSettings, type Settings, SettingsError } from './resolve-settings.js';

export { loadSettingsState } from './settings-state.ts';

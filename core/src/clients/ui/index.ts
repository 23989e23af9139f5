export { chooseFreePlan } from './choose-free-plan.ts';
export { loadSettingsState } from './settings-state.ts';

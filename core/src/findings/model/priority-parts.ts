/** What screens need of the stored parts of a priority. */
export { sumOfPoints } from '../../prioritisation/model/settings/priority-settings.ts';
export { PIECES } from '../../prioritisation/model/tie-break.ts';

/** For pages of settings of other slices, which are chunks of their own. */
export { ConnectionSettings } from './detail/connection-settings.tsx';

export type { CheckedCode } from './check-plugin.ts';
export { checkPlugin } from './check-plugin.ts';

export const load = () => import('../../../plugins/demo/src/plugin.ts');

export const load = () => import('../api/routes.ts');

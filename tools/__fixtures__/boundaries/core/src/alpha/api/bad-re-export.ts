export { betaRoutes } from '../../beta/api/routes.ts';

export { listBetas } from './list-betas.ts';

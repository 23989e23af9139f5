export { beta } from './inside.ts';

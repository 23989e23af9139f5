export { pathOfExpired } from './data/expired-connection.ts';

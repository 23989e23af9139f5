export { routes } from './routes.tsx';
export { SESSION_STORE, SessionStore } from './session.store.ts';

export { SESSION_STORE, SessionStore } from './session.store.ts';

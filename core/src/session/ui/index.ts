export { PlexalyzerTokens } from './plexalyzer-tokens.tsx';
export { SESSION_STORE, SessionStore } from './session.store.ts';

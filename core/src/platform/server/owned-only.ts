import type { Caller } from './endpoint.ts';

/** Whose repositories a list is limited to: a developer's own; null shows all. Source: decisions.md "Roles". */
export const ownedOnly = (caller: Caller): string | null => (caller.role === 'developer' ? caller.userId : null);

import { can } from '../model/permissions.ts';
import type { Caller } from './endpoint.ts';

/** Whose repositories a list is limited to: the caller's own; null shows all. Source: decisions.md "Roles". */
export const ownedOnly = (caller: Caller): string | null =>
  can(caller.role, 'organization.read-all') ? null : caller.userId;

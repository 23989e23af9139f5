import { ROLES } from '@breakwater/core/platform/model/roles.ts';
export const roles = ROLES;

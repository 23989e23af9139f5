import { ROLES } from '@breakwater/core/platform/model/permissions.ts';
export const roles = ROLES;

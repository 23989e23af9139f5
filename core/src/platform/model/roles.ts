/** Roles of a user, most powerful first. Source: specification §6. */
export const ROLES = ['superadmin', 'admin', 'cyberoper', 'developer'] as const;
export type Role = (typeof ROLES)[number];

/** Everybody who works inside one client. */
export const CLIENT_ROLES = ['admin', 'cyberoper', 'developer'] as const satisfies readonly Role[];

/** Roles that an admin may give, most powerful first. Superadmins are named by the operator of the server alone. */
export const INVITED_ROLES = ['admin', 'cyberoper', 'developer'] as const;
export type InvitedRole = (typeof INVITED_ROLES)[number];

/** How long an invitation can be accepted. Source: decisions.md "Session". */
export const INVITATION_DAYS = 7;

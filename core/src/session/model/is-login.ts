import { can, type Role } from '../../platform/model/permissions.ts';

/** Says in the browser's storage that somebody signed in here; the token itself is out of the page's reach. Source: specification §3 "IS_LOGIN". */
export const IS_LOGIN_KEY = 'bw-is-login';

/** The value of the mark where whoever signed in may read the findings of an organisation at once. */
export const READS_FINDINGS = '1';
/** Of a superadmin, who has no findings of their own, and of who must set up two-factor first: what they ask for is refused. */
const READS_NONE = '0';

/** What the mark says of who signed in. The page asks for first findings by it, before the application runs. */
export const loginMarkOf = (session: { user: { role: Role }; needs_2fa?: boolean }): string =>
  !can(session.user.role, 'clients.manage') && session.needs_2fa !== true ? READS_FINDINGS : READS_NONE;

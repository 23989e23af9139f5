import { msg } from '../../../platform/model/message.ts';
import { nextPathOf } from '../../../platform/model/next-path.ts';
import { can, type Permission } from '../../../platform/model/permissions.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import type { SessionPort } from '../navigation/shell-ports.ts';

interface GuardContext {
  /** Address that is about to be shown. */
  url: URL;
  session: SessionPort;
}

/** Where to go instead; nothing when the page may be shown. A guard may also throw a `PageError`. */
type GuardOutcome = { redirect: string } | undefined;

export interface Guard {
  readonly name: string;
  check(context: GuardContext): Promise<GuardOutcome> | GuardOutcome;
}

const NO_PERMISSION = msg("You don't have permission for this page.");

const SET_UP_TWO_FACTOR = '/settings/setup-2fa';
/** Pages that show although two-factor is missing. */
const OWN_ACCOUNT: ReadonlySet<string> = new Set([SET_UP_TWO_FACTOR, '/change-password']);

/** Only with a session, and with two-factor where the organisation requires it. Without one: logout, then `/login`, remembering where the person wanted to go. */
export const authenticated: Guard = {
  name: 'authenticated',
  check: async ({ url, session }) => {
    await session.load();
    const wanted = `${url.pathname}${url.search}`;
    if (session.isSignedIn) {
      if (!session.needsTwoFactor || OWN_ACCOUNT.has(url.pathname)) return undefined;
      return { redirect: `${SET_UP_TWO_FACTOR}?next=${encodeURIComponent(wanted)}` };
    }
    if (await session.isSetupNeeded()) return { redirect: '/setup' };
    await session.signOut();
    return { redirect: wanted === '/' ? '/login' : `/login?next=${encodeURIComponent(wanted)}` };
  },
};

/** Only with this permission; else the error page says so. Source: specification §2, §6. */
export const requires = (permission: Permission): Guard => ({
  name: `requires(${permission})`,
  check: ({ session }) => {
    if (!can(session.user?.role, permission)) throw new PageError(403, t(NO_PERMISSION));
    return undefined;
  },
});

/** Pages of one organisation. Who manages all of them works in none, and is sent to their list. */
export const insideOrganization: Guard = {
  name: 'insideOrganization',
  check: ({ session }) => (can(session.user?.role, 'clients.manage') ? { redirect: '/manage-clients' } : undefined),
};

/** Only for people who are not signed in: `/login`, `/register`, `/forgot-password`. A fresh installation goes to `/setup` first. */
export const signedOutOnly: Guard = {
  name: 'signedOutOnly',
  check: async ({ url, session }) => {
    await session.restore();
    if (session.isSignedIn) return { redirect: nextPathOf(url.searchParams.get('next')) };
    return (await session.isSetupNeeded()) ? { redirect: '/setup' } : undefined;
  },
};

/** Only while no user exists: `/setup`. */
export const setupNeeded: Guard = {
  name: 'setupNeeded',
  check: async ({ session }) => ((await session.isSetupNeeded()) ? undefined : { redirect: '/login' }),
};

/** The page needs a query parameter; without it the error page with this status and text. */
export const requiresQuery = (parameter: string, status: number, message: string): Guard => ({
  name: `requiresQuery(${parameter})`,
  check: ({ url }) => {
    if ((url.searchParams.get(parameter) ?? '') === '') throw new PageError(status, t(message));
    return undefined;
  },
});

/** Guest pages reached by a mailed link need its token. Source: specification §2, §8. */
export const requiresToken: Guard = requiresQuery('token', 403, NO_PERMISSION);

/**
 * Ends a page with the error page. Thrown by guards, loaders, or a screen while it renders.
 * Source: specification §2 "Error page", §8.
 */
export class PageError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = 'PageError';
    this.status = status;
  }
}

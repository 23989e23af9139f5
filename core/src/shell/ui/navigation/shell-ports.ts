import type { ComponentType } from 'react';
import type { Role } from '../../../platform/model/permissions.ts';
import { type ServiceId, serviceId } from '../../../platform/ui/data/service-id.ts';

export interface SignedInUser {
  _id: string;
  email: string;
  username: string;
  role: Role;
}

/** What the shell and every screen may know of the session. The session slice implements it; its members are observable. */
export interface SessionPort {
  readonly user: SignedInUser | undefined;
  /** Name of the user's organisation; none for a superadmin outside any. */
  readonly organizationName: string | undefined;
  readonly isSignedIn: boolean;
  /** There may be pictures of people. */
  readonly hasAvatars?: boolean;
  /** The organisation requires two-factor and this person has none: only its set-up and their own account answer. */
  readonly needsTwoFactor: boolean;
  /** Asks the server once who is signed in; later calls return at once. */
  load(): Promise<void>;
  /** As `load`, but asks only where somebody signed in before: a first visitor's sign-in page makes no failing call. */
  restore(): Promise<void>;
  /** True on a fresh installation without any user. */
  isSetupNeeded(): Promise<boolean>;
  /** Rows of tables are low. */
  readonly isCompact: boolean;
  /** @throws ApiError */
  setCompact(isCompact: boolean): Promise<void>;
  /** Ends the session here and on the server, and clears all cached data. */
  signOut(): Promise<void>;
}

export const SESSION: ServiceId<SessionPort> = serviceId<SessionPort>('shell.session');

/** Reads the code of the switch of scopes, which the top bar shows once the page has come. */
export const SCOPE_SWITCH = serviceId<() => Promise<ComponentType>>('shell.scope-switch');

/** Dialogs that outlive the page they were opened from, such as the upload; the home layout shows them above every page. */
export const HOME_OVERLAYS = serviceId<readonly ComponentType[]>('shell.home-overlays');

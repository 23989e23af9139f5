import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { LocalePreferences } from '../../platform/model/locale.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { ApiError } from '../../platform/ui/data/api-error.ts';
import type { CachedData } from '../../platform/ui/data/cached-data.ts';
import { serviceId } from '../../platform/ui/data/service-id.ts';
import type { SessionPort, SignedInUser } from '../../shell/ui/navigation/shell-ports.ts';
import { updateProfile } from '../api/profile-routes.ts';
import { getSession, getSetup, logout, type SessionData } from '../api/routes.ts';
import { IS_LOGIN_KEY, loginMarkOf } from '../model/is-login.ts';

export type SessionAnswer = Static<typeof SessionData>;

/** What Google said of who signed in here by it: `{google_auth: 1, email, name}`. Source: specification §3 "Google profile info". */
export const GOOGLE_KEY = 'bw-google';

export interface SessionEnvironment {
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  reload: () => void;
}

export interface SessionDependencies {
  api: ApiClient;
  cachedData: CachedData;
  environment: SessionEnvironment;
  /** Called when the session of this person has ended, while the page still holds what they wrote. */
  onEnd?: (userId: string) => void;
  /** Takes over how this person reads the interface, before their first page is drawn. */
  applyLocale?: (locale: LocalePreferences) => Promise<void>;
}

const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** Who is signed in here. The only place that knows. */
export class SessionStore implements SessionPort {
  data: SessionAnswer | undefined = undefined;
  /** Who makes the first organisation from here has to give the code that the server printed. */
  needsSetupCode = false;
  readonly #dependencies: SessionDependencies;
  #loading: Promise<void> | undefined;
  /** Signing out, and not answered yet. */
  #isLeaving = false;
  #setupNeeded: boolean | undefined;

  constructor(dependencies: SessionDependencies) {
    this.#dependencies = dependencies;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get user(): SignedInUser | undefined {
    return this.data?.user;
  }

  get organizationName(): string | undefined {
    return this.data?.client?.organization_name;
  }

  get isSignedIn(): boolean {
    return this.data !== undefined;
  }

  get needsTwoFactor(): boolean {
    return this.data?.needs_2fa === true;
  }

  get hasAvatars(): boolean {
    return this.data?.has_avatars === true;
  }

  load(): Promise<void> {
    this.#loading ??= this.read().catch((error: unknown) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async restore(): Promise<void> {
    if (this.hasSignedInHere) await this.load();
  }

  async isSetupNeeded(): Promise<boolean> {
    // Once done it stays done; while it is needed somebody else may do it.
    if (this.#setupNeeded !== false) {
      const { data } = await this.#dependencies.api.call(getSetup);
      this.#setupNeeded = data.needed;
      runInAction(() => {
        this.needsSetupCode = data.needs_code === true;
      });
    }
    return this.#setupNeeded;
  }

  /** The server signed somebody in. */
  adopt(data: SessionAnswer): void {
    this.#dependencies.cachedData.clear();
    this.#dependencies.environment.storage.setItem(IS_LOGIN_KEY, loginMarkOf(data));
    this.#loading = this.applyLocale(data);
    this.#setupNeeded = false;
    this.data = data;
  }

  /** The same, by Google. */
  adoptGoogle(data: SessionAnswer): void {
    this.adopt(data);
    this.rememberGoogle(1, null);
  }

  /** Another page may have signed somebody in: the server is asked again. */
  async refresh(): Promise<void> {
    this.#loading = undefined;
    await this.load();
  }

  async signOut(): Promise<void> {
    if (this.isSignedIn) {
      this.#isLeaving = true;
      try {
        await this.#dependencies.api.call(logout);
      } catch (error) {
        if (!isSignedOut(error)) throw error;
      } finally {
        this.#isLeaving = false;
      }
    }
    this.clear();
  }

  /** The server has ended the session of this page: after a change of the password. */
  leave(): void {
    this.clear();
  }

  /** A call was answered with 401: whoever was signed in is so no longer. Source: specification §7. */
  handleUnauthorized(): void {
    const { user } = this;
    // the server ends the session before it answers that it did, and other calls may hear of it first
    if (user === undefined || this.#isLeaving) return;
    this.#dependencies.onEnd?.(user._id);
    this.clear();
    this.#dependencies.environment.reload();
  }

  /** Two-factor has been set up. */
  fulfilTwoFactor(): void {
    if (this.data === undefined) return;
    const { needs_2fa: _, ...rest } = this.data;
    this.data = rest;
    this.#dependencies.environment.storage.setItem(IS_LOGIN_KEY, loginMarkOf(rest));
  }

  /** The person changed how they read the interface. */
  async relocate(locale: LocalePreferences): Promise<void> {
    if (this.data !== undefined) this.data = { ...this.data, locale };
    await this.#dependencies.applyLocale?.(locale);
  }

  get isCompact(): boolean {
    return this.data?.locale?.density === 'compact';
  }

  /** Kept for the person, on whatever machine they read. @throws ApiError */
  async setCompact(isCompact: boolean): Promise<void> {
    const density = isCompact ? 'compact' : null;
    const { data } = await this.#dependencies.api.call(updateProfile, { body: { density } });
    await this.relocate(data.locale);
  }

  /** The person changed their name. */
  rename(user: SessionAnswer['user']): void {
    if (this.data !== undefined) this.data = { ...this.data, user };
  }

  /** A call was refused because two-factor is missing: an admin has begun to require it. The next look at the session says so. */
  handleTwoFactorRequired(): void {
    if (this.isSignedIn && !this.needsTwoFactor) this.#dependencies.environment.reload();
  }

  /** Asks whether the session still holds; a 401 ends it here. What else goes wrong is no answer. */
  async verify(): Promise<void> {
    if (this.isSignedIn) await this.#dependencies.api.call(getSession).catch(() => undefined);
  }

  /** Another tab signed out: the page that shows here is no longer its reader's. */
  handleStorage(event: Pick<StorageEvent, 'key' | 'newValue'>): void {
    if (event.key === IS_LOGIN_KEY && event.newValue === null) this.handleUnauthorized();
  }

  private get hasSignedInHere(): boolean {
    return this.#dependencies.environment.storage.getItem(IS_LOGIN_KEY) !== null;
  }

  private async read(): Promise<void> {
    // A fresh installation has no session to ask for; elsewhere a cookie may be there without the mark.
    if (!this.hasSignedInHere && (await this.isSetupNeeded())) {
      this.#loading = undefined;
      return;
    }
    try {
      const { data } = await this.#dependencies.api.call(getSession);
      const { enable_2fa: _, google_auth, google_profile, ...known } = data;
      await this.applyLocale(known);
      runInAction(() => {
        this.data = known;
      });
      this.rememberGoogle(google_auth, google_profile);
      this.#dependencies.environment.storage.setItem(IS_LOGIN_KEY, loginMarkOf(known));
    } catch (error) {
      if (!isSignedOut(error)) throw error;
    }
  }

  private async applyLocale({ locale }: SessionAnswer): Promise<void> {
    if (locale !== undefined) await this.#dependencies.applyLocale?.(locale);
  }

  private rememberGoogle(google_auth: number, profile: { email: string; name: string } | null): void {
    const { storage } = this.#dependencies.environment;
    if (google_auth === 1) storage.setItem(GOOGLE_KEY, JSON.stringify({ google_auth, ...profile }));
    else storage.removeItem(GOOGLE_KEY);
  }

  private clear(): void {
    this.data = undefined;
    this.#loading = undefined;
    this.#dependencies.environment.storage.removeItem(GOOGLE_KEY);
    this.#dependencies.environment.storage.removeItem(IS_LOGIN_KEY);
    this.#dependencies.cachedData.clear();
  }
}

export const SESSION_STORE = serviceId<SessionStore>('session.store');

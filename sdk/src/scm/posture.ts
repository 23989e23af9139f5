import type { Ctx } from '../context.ts';
import type { CredentialSchema } from '../credentials.ts';

/** What can be asked of a provider's settings. Each provider answers those that it has. */
export const POSTURE_CHECKS = [
  'branch-protection',
  'required-reviews',
  'signed-commits',
  'force-pushes',
  'default-workflow-permissions',
  'unpinned-actions',
  'secrets-in-forks',
  'admins-without-two-factor',
  'stale-deploy-keys',
] as const;

export type PostureCheck = (typeof POSTURE_CHECKS)[number];

/** What the settings of a repository say to one question. */
export interface PostureAnswer {
  readonly check: PostureCheck;
  /** `unknown`: the credentials may not see it, or the provider's edition does not tell. */
  readonly state: 'ok' | 'at-risk' | 'unknown';
  /** Where the question is asked of a branch. */
  readonly branch?: string;
  /** What is set, or what could not be seen and why, in one or two sentences. No secrets, no HTML. */
  readonly detail: string;
  /** Page of the provider where it is set, https. */
  readonly url?: string;
}

/** One setting as it is and as it becomes, in words for people. No secrets, no HTML. */
export interface SettingChange {
  /** `Direct pushes to "main"`. */
  readonly setting: string;
  readonly from: string;
  readonly to: string;
}

/** What is to be set, and where; of a question about a branch, at the default branch. */
export interface SettingAt {
  /** `ScmRepository.id`. */
  readonly repository: string;
  readonly check: PostureCheck;
}

/**
 * Settings that a connector can make right, so that `posture` answers `ok`. What is stricter already, and rules about anything else, stay as
 * they are. A missing right is `scope` with a sentence that says what to grant; what stands in the way at the provider (its edition, a rule
 * of the organisation) is `config` with a sentence that says so. @throws ConnectorError
 */
export interface ScmSettings<S extends CredentialSchema = CredentialSchema> {
  /** Questions that it can make right. */
  readonly checks: readonly PostureCheck[];
  /** What `set` would change now; nothing is written. Empty where it is right already. */
  plan(ctx: Ctx<S>, at: SettingAt): Promise<readonly SettingChange[]>;
  /** The same twice has one effect. @returns what has changed */
  set(ctx: Ctx<S>, at: SettingAt): Promise<readonly SettingChange[]>;
}

/** What makes one setting right: the changes, and the requests that make them. */
export interface SettingStep {
  readonly changes: readonly SettingChange[];
  write(): Promise<void>;
}

/** What is right already. */
export const NOTHING_TO_SET: SettingStep = { changes: [], write: async () => undefined };

/** Settings by what makes each right; `prepare` reads and writes nothing. What is shown and what is done thereby are one. */
export const settingsBy = <S extends CredentialSchema>(
  checks: readonly PostureCheck[],
  prepare: (ctx: Ctx<S>, at: SettingAt) => Promise<SettingStep>,
): ScmSettings<S> => ({
  checks,
  plan: async (ctx, at) => (await prepare(ctx, at)).changes,
  set: async (ctx, at) => {
    const { changes, write } = await prepare(ctx, at);
    if (changes.length > 0) await write();
    return changes;
  },
});

import type { Ctx } from '../context.ts';
import type { CredentialSchema } from '../credentials.ts';
import type { PostureAnswer, ScmSettings } from './posture.ts';

/** A repository as its provider lists it. */
export interface ScmRepository {
  /** Id at the provider, kept so that a rename is no new repository. */
  readonly id: string;
  /** `owner/name` or the provider's own path. */
  readonly name: string;
  /** Address for people, https. */
  readonly url: string;
  readonly cloneUrl?: string;
  readonly defaultBranch?: string;
  readonly isPrivate?: boolean;
  readonly isArchived?: boolean;
}

export interface ScmBranch {
  readonly name: string;
  /** Hash of its newest commit. */
  readonly commit: string;
  readonly isProtected?: boolean;
}

/**
 * One file of a commit: new content (text is written as UTF-8), or null to delete it. Deleting a file that is not there is no
 * error.
 */
export interface FileChange {
  /** From the root of the repository, without a slash before it. */
  readonly path: string;
  readonly content: string | Uint8Array | null;
}

/**
 * What every write carries: the same key twice has one effect, also when the first answer was lost. The host makes a key of its own
 * for each thing that it wants to exist, and never runs one key twice at the same time. How a connector finds what a key has made
 * already: `withKeyMark`, `withKeyTrailer`.
 */
export interface Idempotent {
  readonly idempotencyKey: string;
}

export interface NewBranch extends Idempotent {
  readonly repository: string;
  readonly branch: string;
  /** Commit or branch that it starts from. */
  readonly from: string;
}

export interface NewCommit extends Idempotent {
  readonly repository: string;
  /** An existing one. */
  readonly branch: string;
  readonly message: string;
  /** At least one, each path once. */
  readonly files: readonly FileChange[];
}

export interface NewPullRequest extends Idempotent {
  readonly repository: string;
  /** Branch of the same repository that holds the change. */
  readonly from: string;
  readonly into: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
}

export interface NewIssue extends Idempotent {
  readonly repository: string;
  readonly title: string;
  /** Markdown. */
  readonly description: string;
  readonly labels?: readonly string[];
}

export interface NewComment extends Idempotent {
  readonly repository: string;
  /** Number of the pull request; where the provider counts both together, of the issue too. */
  readonly number: number;
  /** Markdown. */
  readonly text: string;
}

export interface CommitStatus extends Idempotent {
  readonly repository: string;
  /** Whole hash. */
  readonly commit: string;
  readonly state: 'pending' | 'success' | 'failure';
  /** Which check it is; a later status of the same name and commit takes the place of the earlier one. */
  readonly name: string;
  /** One line; cut where the provider takes less. */
  readonly description?: string;
  readonly url?: string;
}

/** Something that now exists at the provider. */
export interface ScmLink {
  readonly url: string;
  readonly number?: number;
}

export interface NewWebhook extends Idempotent {
  readonly repository: string;
  /** Address of the host, as its operator says. One hook a repository has this address. */
  readonly url: string;
  /** Keys the proof of each delivery (`Webhook.proof`). Made by the host. */
  readonly secret: string;
  readonly events: readonly ScmEvent['kind'][];
}

/**
 * What a delivery of a provider means, in words of ours; the host acts on it. `repository` is `ScmRepository.id`, `branch` without
 * `refs/heads/`. Tags and branches that were deleted are no events.
 */
export type ScmEvent =
  | {
      readonly kind: 'push';
      readonly repository: string;
      readonly branch: string;
      /** Newest commit of the branch after the push. */
      readonly commit: string;
    }
  | {
      readonly kind: 'pull-request';
      readonly repository: string;
      readonly number: number;
      /** Branch that holds the change, and its newest commit. Where `isFromFork`, the branch is one of another repository. */
      readonly branch: string;
      readonly commit: string;
      readonly into: string;
      readonly isFromFork: boolean;
      /** `updated`: new commits, or opened again. What only changes text, labels or people is no event. */
      readonly action: 'opened' | 'updated' | 'merged' | 'closed';
    }
  | {
      readonly kind: 'issue';
      readonly repository: string;
      readonly number: number;
      /** `declined`: closed as what nobody does, where the provider tells. All else that happens to an issue is no event. */
      readonly action: 'closed' | 'declined';
    };

/** A file at a commit or branch. */
export interface FileAt {
  readonly repository: string;
  readonly path: string;
  /** Commit or branch. */
  readonly at: string;
}

/** A pull request or an issue by its number. */
export interface NumberedAt {
  readonly repository: string;
  readonly number: number;
}

/** A tag or branch of a repository that its name names, which may be one of somebody else: `actions/checkout`, `v4`. */
export interface NamedRef {
  /** `owner/name`, in the provider's own words. */
  readonly name: string;
  readonly ref: string;
}

/** The reading half of source control. `repository` is `ScmRepository.id`. @throws ConnectorError */
export interface ScmRead<S extends CredentialSchema = CredentialSchema> {
  user(ctx: Ctx<S>): Promise<{ readonly name: string; readonly email?: string }>;
  listRepositories(ctx: Ctx<S>): AsyncIterable<ScmRepository>;
  listBranches(ctx: Ctx<S>, repository: string): AsyncIterable<ScmBranch>;
  /** Null where the file does not exist at that commit or branch; a folder is no file. @throws config where the repository does not exist */
  readFile?(ctx: Ctx<S>, file: FileAt): Promise<Uint8Array | null>;
  /**
   * The settings that decide how safe the repository is, asked of its default branch. A setting that cannot be seen is answered as
   * `unknown`; it only throws where nothing can be said at all (`auth`, `rate_limited`, `unreachable`, no such repository).
   */
  posture?(ctx: Ctx<S>, repository: string): Promise<readonly PostureAnswer[]>;
  /** How a pull request stands; null where there is none. For hosts that no delivery reaches. */
  pullRequest?(ctx: Ctx<S>, at: NumberedAt): Promise<{ readonly state: 'open' | 'merged' | 'closed' } | null>;
  /** How an issue stands; null where there is none. `declined`: closed as what nobody does, where the provider tells. */
  issue?(ctx: Ctx<S>, at: NumberedAt): Promise<{ readonly state: 'open' | 'closed' | 'declined' } | null>;
  /** Whole hash of the commit that a tag, else a branch, stands at; null where neither is known here. */
  resolveRef?(ctx: Ctx<S>, at: NamedRef): Promise<string | null>;
}

/**
 * The writing half of source control. A missing right is `scope` with a sentence that says what to grant; what stands in the way at
 * the provider (another branch of that name, a closed issue tracker, an archived repository) is `config` with a sentence that
 * says so. @throws ConnectorError
 */
export interface ScmWrite<S extends CredentialSchema = CredentialSchema> {
  /**
   * A branch that exists already is the same effect as long as it holds nothing but commits of `from` and such as `commitFiles` made;
   * it stays where it is. @throws config where it holds commits of others
   */
  createBranch(ctx: Ctx<S>, branch: NewBranch): Promise<void>;
  /**
   * All files in one commit on top of the branch, whatever was pushed there meanwhile. Where the files are already so, there is no new
   * commit. @returns its hash, or the hash of the branch
   */
  commitFiles(ctx: Ctx<S>, commit: NewCommit): Promise<string>;
  /** One that the key made before is returned as it is, also where it is closed. */
  openPullRequest(ctx: Ctx<S>, pullRequest: NewPullRequest): Promise<ScmLink>;
  /** One that the key made before is returned as it is, also where it is closed. */
  openIssue(ctx: Ctx<S>, issue: NewIssue): Promise<ScmLink>;
  /** One comment a key: the same key with another text replaces the text. */
  comment(ctx: Ctx<S>, comment: NewComment): Promise<ScmLink>;
  setStatus(ctx: Ctx<S>, status: CommitStatus): Promise<void>;
  /** A hook of the same address is brought to this secret and these events. @returns its id at the provider */
  createWebhook?(ctx: Ctx<S>, webhook: NewWebhook): Promise<{ readonly id: string }>;
  /** One that is gone already is no error. */
  deleteWebhook?(ctx: Ctx<S>, webhook: { readonly repository: string; readonly id: string }): Promise<void>;
  /** Settings of the repository that `posture` asks for. */
  readonly settings?: ScmSettings<S>;
}

/** Source control. A connector that only reads leaves `write` out, and the host offers no pull requests for it. */
export interface Scm<S extends CredentialSchema = CredentialSchema> extends ScmRead<S> {
  readonly write?: ScmWrite<S>;
  /** User name that git gives beside the access token when it clones by https. Left out: it clones without the token. */
  readonly cloneUser?: string;
}

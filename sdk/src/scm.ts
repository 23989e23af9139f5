import type { Ctx } from './context.ts';
import type { CredentialSchema } from './credentials.ts';

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

/** One file of a commit: new content (text is written as UTF-8), or null to delete it. */
export interface FileChange {
  readonly path: string;
  readonly content: string | Uint8Array | null;
}

/** What every write carries: the same key twice has one effect. */
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
  readonly branch: string;
  readonly message: string;
  readonly files: readonly FileChange[];
}

export interface NewPullRequest extends Idempotent {
  readonly repository: string;
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
  /** Number of the pull request or issue. */
  readonly number: number;
  /** Markdown. */
  readonly text: string;
}

export interface CommitStatus extends Idempotent {
  readonly repository: string;
  readonly commit: string;
  readonly state: 'pending' | 'success' | 'failure';
  readonly name: string;
  readonly description?: string;
  readonly url?: string;
}

/** Something that now exists at the provider. */
export interface ScmLink {
  readonly url: string;
  readonly number?: number;
}

/** The reading half of source control. `repository` is `ScmRepository.id`. @throws ConnectorError */
export interface ScmRead<S extends CredentialSchema = CredentialSchema> {
  user(ctx: Ctx<S>): Promise<{ readonly name: string; readonly email?: string }>;
  listRepositories(ctx: Ctx<S>): AsyncIterable<ScmRepository>;
  listBranches(ctx: Ctx<S>, repository: string): AsyncIterable<ScmBranch>;
  /** Null where the file does not exist at that commit or branch. */
  readFile?(ctx: Ctx<S>, file: { repository: string; path: string; at: string }): Promise<Uint8Array | null>;
}

/** The writing half of source control: branches, commits, pull requests, issues. @throws ConnectorError */
export interface ScmWrite<S extends CredentialSchema = CredentialSchema> {
  createBranch(ctx: Ctx<S>, branch: NewBranch): Promise<void>;
  /** All files in one commit. @returns its hash. */
  commitFiles(ctx: Ctx<S>, commit: NewCommit): Promise<string>;
  openPullRequest(ctx: Ctx<S>, pullRequest: NewPullRequest): Promise<ScmLink>;
  openIssue(ctx: Ctx<S>, issue: NewIssue): Promise<ScmLink>;
  comment(ctx: Ctx<S>, comment: NewComment): Promise<ScmLink>;
  setStatus(ctx: Ctx<S>, status: CommitStatus): Promise<void>;
}

/** Source control. A connector that only reads leaves `write` out, and the host offers no pull requests for it. */
export interface Scm<S extends CredentialSchema = CredentialSchema> extends ScmRead<S> {
  readonly write?: ScmWrite<S>;
}

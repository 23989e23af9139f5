import { Type } from '@breakwater/sdk';

/** What is used of Gitea's answers. Source: Gitea API 1.22 (swagger). */
export const User = Type.Object({
  id: Type.Integer(),
  login: Type.String({ minLength: 1 }),
  email: Type.Optional(Type.String()),
});

export const Repository = Type.Object({
  id: Type.Integer(),
  full_name: Type.String(),
  html_url: Type.String(),
  clone_url: Type.Optional(Type.String()),
  default_branch: Type.Optional(Type.String()),
  private: Type.Optional(Type.Boolean()),
  archived: Type.Optional(Type.Boolean()),
  has_issues: Type.Optional(Type.Boolean()),
  permissions: Type.Optional(
    Type.Object({ push: Type.Optional(Type.Boolean()), admin: Type.Optional(Type.Boolean()) }),
  ),
});

export const SearchResults = Type.Object({ data: Type.Array(Repository) });

export const Branch = Type.Object({
  name: Type.String(),
  commit: Type.Object({ id: Type.String() }),
  protected: Type.Optional(Type.Boolean()),
});

/** Body of a refusal. */
export const Refusal = Type.Object({ message: Type.String() });

export const Commits = Type.Array(
  Type.Object({ sha: Type.String({ minLength: 1 }), commit: Type.Object({ message: Type.String() }) }),
);

const ContentRow = Type.Object({ type: Type.String(), name: Type.String(), path: Type.String(), sha: Type.String() });

/** A file, or the rows of a folder. */
export const Content = Type.Union([ContentRow, Type.Array(ContentRow)]);

export const FilesCommit = Type.Object({ commit: Type.Object({ sha: Type.String({ minLength: 1 }) }) });

const Author = Type.Optional(Type.Union([Type.Object({ login: Type.String() }), Type.Null()]));
const Text = Type.Optional(Type.String());

export const Numbered = Type.Object({ number: Type.Integer(), html_url: Type.String(), body: Text, user: Author });

export const NumberedList = Type.Array(Numbered);

const State = Type.String({ minLength: 1 });

export const PullRequestState = Type.Object({ state: State, merged: Type.Optional(Type.Boolean()) });

export const IssueState = Type.Object({ state: State });

export const Tag = Type.Object({ commit: Type.Object({ sha: Type.String({ minLength: 1 }) }) });

export const Label = Type.Object({ id: Type.Integer(), name: Type.String() });

export const Labels = Type.Array(Label);

export const Comment = Type.Object({ id: Type.Integer(), html_url: Type.String(), body: Text, user: Author });

export const Comments = Type.Array(Comment);

export const Status = Type.Object({
  status: Type.String(),
  context: Type.String(),
  description: Text,
  target_url: Text,
});

export const Statuses = Type.Array(Status);

export const Hook = Type.Object({ id: Type.Integer(), config: Type.Record(Type.String(), Type.String()) });

export const Hooks = Type.Array(Hook);

export const PushDelivery = Type.Object({
  ref: Type.String(),
  after: Type.String({ minLength: 1 }),
  repository: Type.Object({ id: Type.Integer() }),
});

const Side = Type.Object({ ref: Type.String(), sha: Type.String(), repo_id: Type.Optional(Type.Integer()) });

export const PullRequestDelivery = Type.Object({
  action: Type.String(),
  number: Type.Integer(),
  repository: Type.Object({ id: Type.Integer() }),
  pull_request: Type.Object({ head: Side, base: Side, merged: Type.Optional(Type.Boolean()) }),
});

export const IssueDelivery = Type.Object({
  action: Type.String(),
  number: Type.Integer(),
  repository: Type.Object({ id: Type.Integer() }),
});

export const BranchRules = Type.Object({
  protected: Type.Boolean(),
  required_approvals: Type.Optional(Type.Integer()),
  effective_branch_protection_name: Text,
});

export const Protection = Type.Object({
  require_signed_commits: Type.Optional(Type.Boolean()),
  required_approvals: Type.Optional(Type.Integer()),
  /** Since Gitea 1.23; before, no protected branch takes one. */
  enable_force_push: Type.Optional(Type.Boolean()),
});

/** A rule that was made or changed. */
export const SetRule = Type.Object({ rule_name: Type.String() });

export const DeployKeys = Type.Array(Type.Object({ title: Type.String() }));

import { type Json, Type } from '@breakwater/sdk';

/** What is used of GitHub's answers. Source: GitHub REST API, version 2022-11-28. */
export const User = Type.Object({
  login: Type.String({ minLength: 1 }),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const Installations = Type.Object({
  installations: Type.Array(
    Type.Object({
      id: Type.Integer(),
      account: Type.Union([
        Type.Object({ login: Type.Optional(Type.String()), slug: Type.Optional(Type.String()) }),
        Type.Null(),
      ]),
      permissions: Type.Record(Type.String(), Type.String()),
      suspended_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  ),
});

export const InstallationRepositories = Type.Object({
  repositories: Type.Array(
    Type.Object({
      id: Type.Integer(),
      full_name: Type.String(),
      html_url: Type.String(),
      clone_url: Type.Optional(Type.String()),
      default_branch: Type.Optional(Type.String()),
      private: Type.Optional(Type.Boolean()),
      archived: Type.Optional(Type.Boolean()),
    }),
  ),
});

export const Branches = Type.Array(
  Type.Object({
    name: Type.String(),
    commit: Type.Object({ sha: Type.String() }),
    protected: Type.Optional(Type.Boolean()),
  }),
);

export const RepositoryAnswer = Type.Object({
  id: Type.Integer(),
  full_name: Type.String({ minLength: 1 }),
  html_url: Type.String(),
  default_branch: Type.String(),
  private: Type.Boolean(),
  archived: Type.Optional(Type.Boolean()),
  has_issues: Type.Optional(Type.Boolean()),
  owner: Type.Object({ login: Type.String(), type: Type.Optional(Type.String()) }),
  permissions: Type.Optional(
    Type.Object({ push: Type.Optional(Type.Boolean()), admin: Type.Optional(Type.Boolean()) }),
  ),
});

export const RefusalAnswer = Type.Object({
  message: Type.String(),
  errors: Type.Optional(
    Type.Array(
      Type.Union([
        Type.String(),
        Type.Object({ message: Type.Optional(Type.String()), code: Type.Optional(Type.String()) }),
      ]),
    ),
  ),
});

export const Reference = Type.Object({ object: Type.Object({ sha: Type.String({ minLength: 1 }) }) });

export const Sha = Type.Object({ sha: Type.String({ minLength: 1 }) });

export const CommitOfTree = Type.Object({ sha: Type.String(), tree: Sha });

export const Tree = Type.Object({
  sha: Type.String({ minLength: 1 }),
  tree: Type.Array(Type.Object({ path: Type.String(), mode: Type.String(), type: Type.String(), sha: Type.String() })),
});

const CommitRow = Type.Object({ sha: Type.String({ minLength: 1 }), commit: Type.Object({ message: Type.String() }) });

export const Commits = Type.Array(CommitRow);

export const Comparison = Type.Object({ ahead_by: Type.Integer(), commits: Commits });

const Author = Type.Union([Type.Object({ login: Type.String() }), Type.Null()]);
const Text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

export const Numbered = Type.Object({
  number: Type.Integer(),
  html_url: Type.String(),
  body: Text,
  user: Author,
});

export const NumberedList = Type.Array(Numbered);

const State = Type.String({ minLength: 1 });

export const PullRequestState = Type.Object({ state: State, merged: Type.Boolean() });

export const IssueState = Type.Object({
  state: State,
  state_reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const Comment = Type.Object({ id: Type.Integer(), html_url: Type.String(), body: Text, user: Author });

export const Comments = Type.Array(Comment);

export const Status = Type.Object({
  state: Type.String(),
  context: Type.String(),
  description: Text,
  target_url: Text,
});

export const Statuses = Type.Array(Status);

export const Hook = Type.Object({ id: Type.Integer(), config: Type.Object({ url: Type.Optional(Type.String()) }) });

export const Hooks = Type.Array(Hook);

export const PushDelivery = Type.Object({
  ref: Type.String(),
  after: Type.String({ minLength: 1 }),
  deleted: Type.Optional(Type.Boolean()),
  repository: Type.Object({ id: Type.Integer() }),
});

const Side = Type.Object({
  ref: Type.String(),
  sha: Type.String(),
  repo: Type.Optional(Type.Union([Type.Object({ id: Type.Integer() }), Type.Null()])),
});

export const PullRequestDelivery = Type.Object({
  action: Type.String(),
  number: Type.Integer(),
  repository: Type.Object({ id: Type.Integer() }),
  pull_request: Type.Object({
    head: Side,
    base: Side,
    merged: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  }),
});

export const IssueDelivery = Type.Object({
  action: Type.String(),
  repository: Type.Object({ id: Type.Integer() }),
  issue: Type.Intersect([Type.Object({ number: Type.Integer() }), IssueState]),
});

const Switch = Type.Optional(Type.Object({ enabled: Type.Boolean() }));

export const Protection = Type.Object({
  required_pull_request_reviews: Type.Optional(
    Type.Object({ required_approving_review_count: Type.Optional(Type.Integer()) }),
  ),
  required_signatures: Switch,
  allow_force_pushes: Switch,
});

export const ProtectedBranch = Type.Object({ protected: Type.Boolean() });

export const Rules = Type.Array(
  Type.Object({
    type: Type.String(),
    parameters: Type.Optional(Type.Object({ required_approving_review_count: Type.Optional(Type.Integer()) })),
  }),
);

const Rule = Type.Object({
  type: Type.String(),
  parameters: Type.Optional(Type.Record(Type.String(), Type.Unsafe<Json>({}))),
});

export const RulesetRows = Type.Array(
  Type.Object({ id: Type.Integer(), name: Type.String(), source_type: Type.Optional(Type.String()) }),
);

export const Ruleset = Type.Object({
  id: Type.Integer(),
  enforcement: Type.String(),
  bypass_actors: Type.Optional(Type.Array(Type.Unsafe<Json>({}))),
  rules: Type.Optional(Type.Array(Rule)),
});

export const ActionsPermissions = Type.Object({
  enabled: Type.Boolean(),
  sha_pinning_required: Type.Optional(Type.Boolean()),
});

export const WorkflowPermissions = Type.Object({
  default_workflow_permissions: Type.String(),
  can_approve_pull_request_reviews: Type.Boolean(),
});

export const ForkWorkflows = Type.Object({
  run_workflows_from_fork_pull_requests: Type.Boolean(),
  send_secrets_and_variables: Type.Boolean(),
  send_write_tokens_to_workflows: Type.Boolean(),
});

export const DeployKeys = Type.Array(
  Type.Object({
    title: Type.String(),
    created_at: Type.String(),
    last_used: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    read_only: Type.Boolean(),
  }),
);

export const Members = Type.Array(Type.Object({ login: Type.String() }));

export const FolderRows = Type.Array(Type.Object({ name: Type.String(), path: Type.String(), type: Type.String() }));

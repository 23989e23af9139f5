import { Type } from '@breakwater/sdk';

const optionalText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const optionalSwitch = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));

/** What is used of GitLab's answers. Source: GitLab REST API v4. */
export const User = Type.Object({
  id: Type.Optional(Type.Integer()),
  username: Type.String({ minLength: 1 }),
  email: optionalText,
});

export const Project = Type.Object({
  id: Type.Integer(),
  path_with_namespace: Type.String(),
  web_url: Type.String(),
  http_url_to_repo: Type.Optional(Type.String()),
  default_branch: optionalText,
  visibility: Type.Optional(Type.String()),
  archived: Type.Optional(Type.Boolean()),
  empty_repo: Type.Optional(Type.Boolean()),
  issues_enabled: Type.Optional(Type.Boolean()),
  namespace: Type.Optional(Type.Object({ kind: Type.String(), full_path: Type.String() })),
  ci_allow_fork_pipelines_to_run_in_parent_project: optionalSwitch,
});

export const Projects = Type.Array(Project);

export const Branch = Type.Object({
  name: Type.String(),
  commit: Type.Object({ id: Type.String() }),
  protected: Type.Optional(Type.Boolean()),
});

export const Branches = Type.Array(Branch);

/** Source: GitLab, "REST API authentication", insufficient scope (RFC 6750 section 3.1). */
export const InsufficientScope = Type.Object({
  error: Type.Literal('insufficient_scope'),
  scope: Type.Optional(Type.String()),
});

/** `message` of a refused write; `error` of a request whose parameters are wrong. */
export const ErrorMessage = Type.Object({
  message: Type.Optional(Type.Unsafe<null | string | readonly string[]>({})),
  error: Type.Optional(Type.String()),
  error_description: Type.Optional(Type.String()),
});

/** Source: "Repository files", get file from repository. */
export const File = Type.Object({
  encoding: Type.Literal('base64'),
  content: Type.String(),
  content_sha256: Type.String(),
});

export const Commit = Type.Object({ id: Type.String({ minLength: 1 }), message: Type.String() });
export const Commits = Type.Array(Commit);

/** A merge request or an issue: `iid` is its number within the project. */
export const Thread = Type.Object({ iid: Type.Integer(), web_url: Type.String(), description: optionalText });
export const Threads = Type.Array(Thread);

export const ThreadState = Type.Object({ state: Type.String({ minLength: 1 }) });

export const Note = Type.Object({
  id: Type.Integer(),
  body: Type.String(),
  author: Type.Object({ id: Type.Integer() }),
});
export const Notes = Type.Array(Note);

export const Statuses = Type.Array(
  Type.Object({
    id: Type.Integer(),
    name: Type.String(),
    status: Type.String(),
    description: optionalText,
    target_url: optionalText,
  }),
);

export const Hook = Type.Object({ id: Type.Integer(), url: Type.String() });
export const Hooks = Type.Array(Hook);

export const ProtectedBranch = Type.Object({
  name: Type.String(),
  allow_force_push: Type.Optional(Type.Boolean()),
  push_access_levels: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Optional(Type.Integer()),
        access_level: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      }),
    ),
  ),
});

/** Only of paid editions. */
export const ApprovalRule = Type.Object({
  id: Type.Integer(),
  rule_type: Type.Optional(Type.String()),
  name: Type.String(),
  approvals_required: Type.Integer(),
  protected_branches: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
});

/** Only of paid editions; null where the project has no rule. What the plan does not have is left out of it. */
export const PushRule = Type.Union([
  Type.Object({ id: Type.Integer(), reject_unsigned_commits: Type.Optional(Type.Boolean()) }),
  Type.Null(),
]);

/** One that was made or changed. */
export const SetPushRule = Type.Object({ id: Type.Integer() });

export const JobTokenScope = Type.Object({ inbound_enabled: Type.Boolean() });

export const Group = Type.Object({
  web_url: Type.String(),
  require_two_factor_authentication: Type.Optional(Type.Boolean()),
});

export const DeployKey = Type.Object({
  title: Type.String(),
  created_at: Type.String(),
  expires_at: optionalText,
  last_used_at: optionalText,
  can_push: optionalSwitch,
});

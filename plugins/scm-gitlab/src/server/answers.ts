import { Type } from '@breakwater/sdk';

/** What is used of GitLab's answers. Source: GitLab REST API v4. */
export const User = Type.Object({
  username: Type.String({ minLength: 1 }),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const Projects = Type.Array(
  Type.Object({
    id: Type.Integer(),
    path_with_namespace: Type.String(),
    web_url: Type.String(),
    http_url_to_repo: Type.Optional(Type.String()),
    default_branch: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    visibility: Type.Optional(Type.String()),
    archived: Type.Optional(Type.Boolean()),
  }),
);

export const Branches = Type.Array(
  Type.Object({
    name: Type.String(),
    commit: Type.Object({ id: Type.String() }),
    protected: Type.Optional(Type.Boolean()),
  }),
);

/** Source: GitLab, "REST API authentication", insufficient scope (RFC 6750 section 3.1). */
export const InsufficientScope = Type.Object({
  error: Type.Literal('insufficient_scope'),
  scope: Type.Optional(Type.String()),
});

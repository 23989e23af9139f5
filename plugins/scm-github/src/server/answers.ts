import { Type } from '@breakwater/sdk';

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

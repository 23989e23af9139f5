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
});

export const SearchResults = Type.Object({ data: Type.Array(Repository) });

export const Branch = Type.Object({
  name: Type.String(),
  commit: Type.Object({ id: Type.String() }),
  protected: Type.Optional(Type.Boolean()),
});

/** Body of a refusal. */
export const Refusal = Type.Object({ message: Type.String() });

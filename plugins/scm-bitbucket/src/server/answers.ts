import { type TSchema, Type } from '@breakwater/sdk';

/** One page of a list: `next` is the address of the page after it. Source: Bitbucket Cloud REST API 2.0, "Pagination". */
export const Page = <const Row extends TSchema>(row: Row) =>
  Type.Object({ values: Type.Array(row), next: Type.Optional(Type.String()) });

export const User = Type.Object({
  username: Type.Optional(Type.String()),
  display_name: Type.String({ minLength: 1 }),
});

/** Rows of `GET /user/workspaces`, which stands where `GET /workspaces` was until February 2026 (CHANGE-2770). */
export const WorkspaceAccess = Type.Object({ workspace: Type.Object({ slug: Type.String(), uuid: Type.String() }) });

const Link = Type.Object({ href: Type.String() });

export const Repository = Type.Object({
  uuid: Type.String(),
  full_name: Type.String(),
  is_private: Type.Optional(Type.Boolean()),
  mainbranch: Type.Optional(Type.Union([Type.Object({ name: Type.Optional(Type.String()) }), Type.Null()])),
  links: Type.Object({
    html: Link,
    clone: Type.Optional(Type.Array(Type.Object({ name: Type.Optional(Type.String()), href: Type.String() }))),
  }),
});

export const Branch = Type.Object({ name: Type.String(), target: Type.Object({ hash: Type.String() }) });

/** What Bitbucket says when a token may too little. */
export const Refusal = Type.Object({
  error: Type.Object({
    message: Type.String(),
    detail: Type.Optional(Type.Object({ required: Type.Optional(Type.Array(Type.String())) })),
  }),
});

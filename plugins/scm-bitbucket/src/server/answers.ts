import { type TSchema, Type } from '@breakwater/sdk';

/** One page of a list: `next` is the address of the page after it. Source: Bitbucket Cloud REST API 2.0, "Pagination". */
export const Page = <const Row extends TSchema>(row: Row) =>
  Type.Object({ values: Type.Array(row), next: Type.Optional(Type.String()) });

export const User = Type.Object({
  uuid: Type.Optional(Type.String()),
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
  has_issues: Type.Optional(Type.Boolean()),
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
    detail: Type.Optional(
      Type.Unsafe<{ readonly required?: readonly string[] } | null>({
        anyOf: [
          { type: 'object', properties: { required: { type: 'array', items: { type: 'string' } } } },
          { type: 'string' },
          { type: 'null' },
        ],
      }),
    ),
  }),
});

/** A file or folder of a commit, as `?format=meta` tells it. */
export const SourceEntry = Type.Object({
  type: Type.String(),
  size: Type.Optional(Type.Integer({ minimum: 0 })),
  attributes: Type.Optional(Type.Unsafe<string | readonly string[]>({})),
});

export const Commit = Type.Object({ hash: Type.String({ minLength: 7 }), message: Type.Optional(Type.String()) });

const Author = Type.Optional(Type.Union([Type.Object({ uuid: Type.Optional(Type.String()) }), Type.Null()]));
const Links = Type.Object({ html: Link });
const Content = Type.Object({ raw: Type.String() });

export const PullRequest = Type.Object({
  id: Type.Integer(),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  author: Author,
  links: Links,
});

export const ThreadState = Type.Object({ state: Type.String({ minLength: 1 }) });

export const Issue = Type.Object({ id: Type.Integer(), content: Content, reporter: Author, links: Links });

export const Comment = Type.Object({
  id: Type.Integer(),
  deleted: Type.Optional(Type.Boolean()),
  content: Content,
  user: Author,
  links: Links,
});

export const Status = Type.Object({ key: Type.String() });

export const Hook = Type.Object({ uuid: Type.String(), url: Type.String() });

export const Restriction = Type.Object({
  id: Type.Optional(Type.Integer()),
  kind: Type.String(),
  branch_match_kind: Type.Optional(Type.String()),
  pattern: Type.Optional(Type.String()),
  branch_type: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  value: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  users: Type.Optional(Type.Array(Type.Object({}))),
  groups: Type.Optional(Type.Array(Type.Object({}))),
});

const ModelBranch = Type.Optional(
  Type.Union([Type.Object({ branch: Type.Optional(Type.Object({ name: Type.String() })) }), Type.Null()]),
);

export const BranchingModel = Type.Object({ development: ModelBranch, production: ModelBranch });

/** When a key was added is `created_on` in Bitbucket's answers, and `added_on` in its schema of them. */
export const DeployKey = Type.Intersect([
  Type.Object({
    label: Type.Optional(Type.String()),
    last_used: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
  Type.Union([Type.Object({ created_on: Type.String() }), Type.Object({ added_on: Type.String() })]),
]);

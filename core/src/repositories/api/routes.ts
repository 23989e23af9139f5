import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Id, Item, List, Nullable, One, OneOf, pageQuery, Timestamp } from '../../platform/api/envelope.ts';

/** Source controls a repository can come from. Source: decisions.md "Wire shapes". */
export const SOURCE_CONTROLS = ['github', 'gitlab', 'bitbucket_cloud', 'gitea', 'git', 'local'] as const;
export const REPOSITORY_STATUSES = ['queued', 'running', 'enriching', 'enriched', 'failed'] as const;
export const EXPOSURES = ['internet', 'internal', 'unknown'] as const;
export const DATA_CLASSES = ['sensitive', 'business', 'public', 'unknown'] as const;

export const SeverityCounts = Type.Object({
  critical: Type.Integer(),
  high: Type.Integer(),
  medium: Type.Integer(),
  low: Type.Integer(),
  informational: Type.Integer(),
});

export const RepositoryAttributes = Type.Object({
  nickname: Type.String(),
  repository_branch: Type.String(),
  status: OneOf(REPOSITORY_STATUSES),
  source_control: OneOf(SOURCE_CONTROLS),
  url: Type.String(),
  tags: Type.Array(Type.String()),
  owner: Nullable(Id),
  exposure: OneOf(EXPOSURES),
  data_class: OneOf(DATA_CLASSES),
  is_sample: Type.Boolean(),
  last_scan: Nullable(Timestamp),
  /** When the latest import ended, if that one failed; null where it did not. `status` stays what the repository holds. */
  import_failed_at: Nullable(Timestamp),
  /** Open findings by severity. */
  counts: SeverityCounts,
});

export const NewRepositories = Type.Object(
  {
    source_control: Type.Optional(OneOf(SOURCE_CONTROLS)),
    data: Type.Array(
      Type.Object(
        {
          nickname: Type.String({ minLength: 1, maxLength: 200 }),
          /** Clone address without credentials; empty where there is none. */
          url: Type.String({ maxLength: 2000 }),
          repository_branch: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
          external_id: Type.Optional(Type.String({ maxLength: 255 })),
          tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 50 })),
          owner: Type.Optional(Id),
        },
        { additionalProperties: false },
      ),
      { minItems: 1, maxItems: 500 },
    ),
  },
  { additionalProperties: false },
);

export const createRepositories = route({
  method: 'POST',
  path: '/create_repository_with_list',
  tag: 'repositories',
  summary: 'Add repositories; one already there is returned, not doubled',
  access: { permission: 'repositories.write', tenant: true },
  body: NewRepositories,
  response: Action(Type.Array(Item(RepositoryAttributes))),
});

export const RepositoryListQuery = Type.Object(
  {
    ...pageQuery,
    search: Type.Optional(Type.String({ maxLength: 200 })),
    sort: Type.Optional(OneOf(['asc', 'desc'])),
    sort_field: Type.Optional(OneOf(['nickname', 'last_scan', '_id'])),
    filters: Type.Optional(
      Type.Object(
        {
          status: Type.Optional(Type.Array(OneOf(REPOSITORY_STATUSES))),
          source_control: Type.Optional(Type.Array(OneOf(SOURCE_CONTROLS))),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const listRepositories = route({
  method: 'GET',
  path: '/repositories',
  tag: 'repositories',
  summary: 'Repositories the caller may see',
  access: { permission: 'repositories.read', tenant: true, apiToken: true },
  query: RepositoryListQuery,
  response: List(RepositoryAttributes),
});

export const getRepository = route({
  method: 'GET',
  path: '/repositories/{id}',
  tag: 'repositories',
  summary: 'One repository',
  access: { permission: 'repositories.read', tenant: true },
  params: Type.Object({ id: Id }),
  response: One(RepositoryAttributes),
  errors: ['repository_not_found'],
});

export const deleteRepository = route({
  method: 'DELETE',
  path: '/repositories/{id}',
  tag: 'repositories',
  summary: 'Remove a repository with its findings, components and scans',
  access: { permission: 'repositories.delete', tenant: true },
  params: Type.Object({ id: Id }),
  response: Type.Object({ success: Type.Literal(true) }),
  errors: ['repository_not_found'],
});

import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import {
  Action,
  Id,
  Item,
  List,
  Nullable,
  One,
  OneOf,
  pageQuery,
  SeverityCounts,
  Timestamp,
} from '../../platform/api/envelope.ts';
import { MAX_NAME_LENGTH, MAX_TAG_LENGTH, NAME_LINE, ONE_LINE } from '../model/repository-fields.ts';

/** Source controls that every organisation has. Source: decisions.md "Wire shapes". */
export const SOURCE_CONTROLS = ['github', 'gitlab', 'bitbucket_cloud', 'gitea', 'git', 'local'] as const;
/** Where a repository comes from. */
export const SourceControlId = Type.String({
  pattern: '^[a-z][a-z0-9_-]{0,63}$',
  description: `One of ${SOURCE_CONTROLS.join(', ')}, or the id of a source control that the organisation added`,
});
export const REPOSITORY_STATUSES = ['queued', 'running', 'enriching', 'enriched', 'failed'] as const;
export const EXPOSURES = ['internet', 'internal', 'unknown'] as const;
export const DATA_CLASSES = ['sensitive', 'business', 'public', 'unknown'] as const;

/** How often a repository is scanned without being asked. Source: decisions.md "States". */
export const SCHEDULES = ['none', 'weekly', 'monthly'] as const;

export const RepositoryAttributes = Type.Object({
  nickname: Type.String(),
  repository_branch: Type.String(),
  status: OneOf(REPOSITORY_STATUSES),
  source_control: SourceControlId,
  /** Title of a source control that the organisation added; null for those that all have, and once it was removed. */
  source_control_title: Nullable(Type.String()),
  url: Type.String(),
  tags: Type.Array(Type.String()),
  owner: Nullable(Id),
  owner_name: Nullable(Type.String()),
  exposure: OneOf(EXPOSURES),
  data_class: OneOf(DATA_CLASSES),
  /** Null: as the organisation says (`schedule_scan`). */
  schedule: Nullable(OneOf(SCHEDULES)),
  is_sample: Type.Boolean(),
  last_scan: Nullable(Timestamp),
  /** When the latest import ended, if that one failed; null where it did not. `status` stays what the repository holds. */
  import_failed_at: Nullable(Timestamp),
  /** Open findings by severity. */
  counts: SeverityCounts,
});

const Nickname = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: NAME_LINE });
const Branch = Type.String({ minLength: 1, maxLength: 255, pattern: NAME_LINE });
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: MAX_TAG_LENGTH, pattern: ONE_LINE }), { maxItems: 50 });

export const NewRepositories = Type.Object(
  {
    source_control: Type.Optional(SourceControlId),
    data: Type.Array(
      Type.Object(
        {
          nickname: Nickname,
          /**
           * Clone address without credentials, or `owner/repo` of a connected provider, which has its id and address; empty where there
           * is none.
           */
          url: Type.String({ maxLength: 2000 }),
          repository_branch: Type.Optional(Branch),
          /** Id at the provider, which a rename there does not change. */
          external_id: Type.Optional(Type.String({ maxLength: 255 })),
          tags: Type.Optional(Tags),
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
  access: { permission: 'repositories.write', tenant: false },
  body: NewRepositories,
  response: Action(Type.Array(Item(RepositoryAttributes))),
  errors: ['conflict', 'integration_not_configured', 'connection_expired', 'upstream_failed'],
});

/** Which repositories: all conditions that are given must hold. */
const RepositoryConditions = {
  search: Type.Optional(Type.String({ maxLength: 200 })),
  filters: Type.Optional(
    Type.Object(
      {
        status: Type.Optional(Type.Array(OneOf(REPOSITORY_STATUSES))),
        source_control: Type.Optional(Type.Array(SourceControlId)),
        /** Any of them. A tag with a comma is sent as `filters[tags][]`. */
        tags: Type.Optional(Type.Array(Type.String({ maxLength: MAX_TAG_LENGTH }))),
        owner: Type.Optional(Type.Array(Id)),
        exposure: Type.Optional(Type.Array(OneOf(EXPOSURES))),
        data_class: Type.Optional(Type.Array(OneOf(DATA_CLASSES))),
      },
      { additionalProperties: false },
    ),
  ),
  sort: Type.Optional(OneOf(['asc', 'desc'])),
  sort_field: Type.Optional(OneOf(['nickname', 'last_scan', 'owner', '_id'])),
};

export const RepositoryListQuery = Type.Object(
  { ...pageQuery, ...RepositoryConditions },
  { additionalProperties: false },
);

export const listRepositories = route({
  method: 'GET',
  path: '/repositories',
  tag: 'repositories',
  summary: 'Repositories the caller may see',
  access: { permission: 'repositories.read', tenant: true, apiToken: ['upload', 'scan', 'read'] },
  query: RepositoryListQuery,
  response: List(RepositoryAttributes),
});

export const getRepository = route({
  method: 'GET',
  path: '/repositories/{id}',
  tag: 'repositories',
  summary: 'One repository',
  access: { permission: 'repositories.read', tenant: true, apiToken: ['upload', 'scan', 'read'] },
  params: Type.Object({ id: Id }),
  response: One(RepositoryAttributes),
  errors: ['repository_not_found'],
});

/** What people set of a repository; what is left out stays. */
export const RepositoryChange = Type.Object(
  {
    nickname: Type.Optional(Nickname),
    /** The default branch: findings, components and figures of the repository are those of it. */
    repository_branch: Type.Optional(Branch),
    owner: Type.Optional(Nullable(Id)),
    tags: Type.Optional(Tags),
    exposure: Type.Optional(OneOf(EXPOSURES)),
    data_class: Type.Optional(OneOf(DATA_CLASSES)),
    /** Needs the permission to change settings. */
    schedule: Type.Optional(Nullable(OneOf(SCHEDULES))),
  },
  { additionalProperties: false },
);

export const updateRepository = route({
  method: 'PUT',
  path: '/repositories/{id}',
  tag: 'repositories',
  summary: 'Change what is set of a repository; a change of exposure or data class scores its findings anew',
  access: { permission: 'repositories.write', tenant: true },
  params: Type.Object({ id: Id }),
  body: RepositoryChange,
  response: One(RepositoryAttributes),
  errors: ['repository_not_found', 'conflict', 'forbidden'],
});

export const deleteRepository = route({
  method: 'DELETE',
  path: '/repositories/{id}',
  tag: 'repositories',
  summary: 'Remove a repository with its findings, components and scans',
  access: { permission: 'repositories.delete', tenant: true },
  audit: 'data.removed',
  params: Type.Object({ id: Id }),
  response: Type.Object({ success: Type.Literal(true) }),
  errors: ['repository_not_found'],
});

export const listRepositoryBranches = route({
  method: 'GET',
  path: '/repositories/{id}/branches',
  tag: 'repositories',
  summary: 'Branches of a repository that reports were imported for, the default branch first',
  access: { permission: 'repositories.read', tenant: true },
  params: Type.Object({ id: Id }),
  response: Type.Object({
    data: Type.Array(
      Item(
        Type.Object({
          name: Type.String(),
          is_default: Type.Boolean(),
          last_scan: Nullable(Timestamp),
          counts: SeverityCounts,
        }),
      ),
    ),
  }),
  errors: ['repository_not_found'],
});

export const listRepositoryEvents = route({
  method: 'GET',
  path: '/repositories/{id}/history',
  tag: 'repositories',
  summary: 'Who changed what of a repository, newest first; at most 100',
  access: { permission: 'repositories.read', tenant: true },
  params: Type.Object({ id: Id }),
  response: Type.Object({
    data: Type.Array(
      Type.Object({
        at: Timestamp,
        /** Null: the server itself. */
        by: Nullable(Type.String()),
        /** `added`, or the field that was changed. */
        field: Type.String(),
        from: Nullable(Type.String()),
        to: Nullable(Type.String()),
      }),
    ),
  }),
  errors: ['repository_not_found'],
});

export const listRepositoryTags = route({
  method: 'GET',
  path: '/repo_tags',
  tag: 'repositories',
  summary: 'Tags of the repositories that the caller may see, with how many have each; at most 1,000',
  access: { permission: 'repositories.read', tenant: true },
  response: Type.Object({ data: Type.Array(Item(Type.Object({ title: Type.String(), count: Type.Integer() }))) }),
});

export const downloadRepositories = route({
  method: 'POST',
  path: '/download_csv_repos',
  tag: 'repositories',
  summary: 'The repositories of the list as a CSV file, cells harmless in spreadsheets; at most 10,000',
  access: { permission: 'repositories.read', tenant: true },
  audit: 'data.exported',
  query: Type.Object({ ...pageQuery, ...RepositoryConditions }, { additionalProperties: false }),
  response: Type.String(),
  responseKind: 'file',
});

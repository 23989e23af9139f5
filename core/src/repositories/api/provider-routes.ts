import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Item, Nullable, One } from '../../platform/api/envelope.ts';
import { RepositoryAttributes, SourceControlId } from './routes.ts';

export const SourceControlAttributes = Type.Object({
  title: Type.String(),
  /** Repositories of it that the caller may see. */
  count: Type.Integer(),
  /** Whether its repositories can be listed now. */
  is_connected: Type.Boolean(),
  /** Whether it has a connection at all: `git` and `local` have none, their repositories are named by address. */
  has_account: Type.Boolean(),
  /** Why it cannot be used now, or ever; null where it can. */
  problem: Nullable(Type.String()),
});

export const listSourceControls = route({
  method: 'GET',
  path: '/sources_control',
  tag: 'repositories',
  summary:
    'Source controls that repositories come from, those that the organisation added last, and how their connection stands',
  access: { permission: 'repositories.read', tenant: true },
  response: Type.Object({ data: Type.Array(Item(SourceControlAttributes)) }),
});

export const ProviderRepository = Type.Object({
  /** `owner/name` or the provider's own path. */
  name: Type.String(),
  /** Address for people; empty where it is none that may be opened. */
  web_url: Type.String(),
  /** Clone address; empty where the provider gives none. */
  url: Type.String(),
  default_branch: Nullable(Type.String()),
  is_private: Nullable(Type.Boolean()),
  is_archived: Type.Boolean(),
  /** The repository here that it already is. */
  repository_id: Nullable(Id),
  /** Why it cannot be imported; null where it can. */
  problem: Nullable(Type.String()),
});

/** How many repositories of a provider one answer lists. */
export const MAX_LISTED = 10_000;

export const listProviderRepositories = route({
  method: 'GET',
  path: '/sources_control/{source_control}/repositories',
  tag: 'repositories',
  summary: 'Repositories that the connection to a source control sees, in the order of the provider',
  access: { permission: 'repositories.write', tenant: false },
  params: Type.Object({ source_control: SourceControlId }),
  response: Type.Object({
    /** `_id` is the id at the provider: the `external_id` of an import. */
    data: Type.Array(Item(ProviderRepository)),
    meta: Type.Object({
      /** Why there may be more than are listed; null where all are. */
      problem: Nullable(Type.String()),
    }),
  }),
  errors: ['integration_not_configured', 'conflict', 'upstream_failed'],
});

export const listProviderBranches = route({
  method: 'GET',
  path: '/sources_control/{source_control}/branches',
  tag: 'repositories',
  summary: 'Branches of a repository at its provider',
  access: { permission: 'repositories.write', tenant: false },
  params: Type.Object({ source_control: SourceControlId }),
  query: Type.Object(
    { repository: Type.String({ minLength: 1, maxLength: 255, description: 'Id at the provider' }) },
    { additionalProperties: false },
  ),
  response: Type.Object({
    data: Type.Array(Type.Object({ name: Type.String(), is_protected: Nullable(Type.Boolean()) })),
    meta: Type.Object({ problem: Nullable(Type.String()) }),
  }),
  errors: ['integration_not_configured', 'conflict', 'upstream_failed'],
});

export const linkRepository = route({
  method: 'PUT',
  path: '/repositories/{id}/source',
  tag: 'repositories',
  summary: 'Say which repository of a provider an application is, whose reports were uploaded; its findings stay',
  access: { permission: 'repositories.write', tenant: false },
  params: Type.Object({ id: Id }),
  body: Type.Object(
    {
      source_control: SourceControlId,
      external_id: Type.String({ minLength: 1, maxLength: 255, description: 'Id at the provider' }),
    },
    { additionalProperties: false },
  ),
  response: One(RepositoryAttributes),
  errors: ['repository_not_found', 'conflict', 'integration_not_configured', 'connection_expired', 'upstream_failed'],
});

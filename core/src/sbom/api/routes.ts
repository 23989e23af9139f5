import { SEVERITIES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, List, Nullable, One, OneOf, pageQuery, Timestamp } from '../../platform/api/envelope.ts';
import { CLIENT_ROLES } from '../../platform/model/roles.ts';

export const ComponentRow = Type.Object({
  name: Type.String(),
  version: Nullable(Type.String()),
  group: Nullable(Type.String()),
  purl: Nullable(Type.String()),
  ecosystem: Nullable(Type.String()),
  type: Nullable(Type.String()),
  licenses: Type.Array(Type.String()),
  direct: Nullable(Type.Boolean()),
  repository_id: Id,
  repository: Type.String(),
  /** Open findings of this component (same name; the version may differ, see the detail). */
  findings: Type.Integer(),
  worst_severity: Nullable(OneOf(SEVERITIES)),
  last_seen: Timestamp,
});

export const ComponentDetail = Type.Object({
  ...ComponentRow.properties,
  description: Nullable(Type.String()),
  first_seen: Timestamp,
  depends_on: Type.Array(Type.Object({ _id: Id, name: Type.String(), version: Nullable(Type.String()) })),
  used_by: Type.Array(Type.Object({ _id: Id, name: Type.String(), version: Nullable(Type.String()) })),
  component_findings: Type.Array(
    Type.Object({
      _id: Id,
      title: Type.String(),
      severity: OneOf(SEVERITIES),
      priority: Type.Integer(),
      cve: Nullable(Type.String()),
      component_version: Nullable(Type.String()),
      fixed_version: Nullable(Type.String()),
      /** False where the finding speaks of another version than the inventory. */
      same_version: Type.Boolean(),
    }),
  ),
});

export const COMPONENT_SORT_FIELDS = ['name', 'findings', 'last_seen'] as const;

export const listComponents = route({
  method: 'GET',
  path: '/sbom-findings',
  tag: 'sbom',
  summary: 'Components of the inventories',
  access: { roles: CLIENT_ROLES, tenant: true },
  query: Type.Object(
    {
      ...pageQuery,
      search: Type.Optional(Type.String({ maxLength: 200 })),
      sort: Type.Optional(OneOf(['asc', 'desc'])),
      sort_field: Type.Optional(OneOf(COMPONENT_SORT_FIELDS)),
      filters: Type.Optional(
        Type.Object(
          {
            repository: Type.Optional(Type.Array(Id)),
            ecosystem: Type.Optional(Type.Array(Type.String({ maxLength: 50 }))),
            license: Type.Optional(Type.Array(Type.String({ maxLength: 200 }))),
            vulnerable: Type.Optional(OneOf(['hide', 'show', 'only'])),
          },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  response: List(ComponentRow),
});

export const getComponent = route({
  method: 'GET',
  path: '/sbom-findings/{id}',
  tag: 'sbom',
  summary: 'One component with its findings and neighbours',
  access: { roles: CLIENT_ROLES, tenant: true },
  params: Type.Object({ id: Id }),
  response: One(ComponentDetail),
  errors: ['component_not_found'],
});

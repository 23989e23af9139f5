import { SEVERITIES } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, List, Nullable, One, OneOf, pageQuery, Timestamp } from '../../platform/api/envelope.ts';
import { PACKAGE_USES } from '../../reachability/model/package-use.ts';
import { LICENSE_CLASSES } from '../model/license-classes.ts';
import { LOOKUP_STATES } from '../model/lookup-answer.ts';

/** Days are YYYY-MM-DD. */
const ReleaseFacts = Type.Object({
  /** When this version was published; null where that is not known. */
  released_on: Nullable(Type.String()),
  /** The newest published version, this one where none is newer; pre-releases only for who uses one. Null where it is not known. */
  newest_version: Nullable(Type.String()),
  newest_released_on: Nullable(Type.String()),
});

export const ComponentRow = Type.Object({
  name: Type.String(),
  version: Nullable(Type.String()),
  group: Nullable(Type.String()),
  purl: Nullable(Type.String()),
  ecosystem: Nullable(Type.String()),
  type: Nullable(Type.String()),
  licenses: Type.Array(Type.String()),
  /** Of all licences together; no legal advice. */
  license_class: OneOf(LICENSE_CLASSES),
  direct: Nullable(Type.Boolean()),
  repository_id: Id,
  repository: Type.String(),
  /** Open findings that are reported for this version of the component. */
  findings: Type.Integer(),
  /** Of those. */
  worst_severity: Nullable(OneOf(SEVERITIES)),
  /** Open findings that are reported for another version, or for none: it may not be affected. */
  other_findings: Type.Integer(),
  last_seen: Timestamp,
  /** What a public service says of the package; null while the organisation does not have it looked up. */
  published: Nullable(ReleaseFacts),
});

const Neighbour = Type.Object({ _id: Id, name: Type.String(), version: Nullable(Type.String()) });

export const DependencyPaths = Type.Object({
  /** At most 5, shortest first; each from what the application names itself to the component, both included. */
  paths: Type.Array(Type.Array(Neighbour)),
  /** True when more than 20,000 edges lead here and not all were read: a shorter path may exist. */
  is_cut: Type.Boolean(),
});

/** See core/src/sbom/model/upgrade-path.ts. */
const Upgrade = Type.Object({
  version: Nullable(Type.String()),
  covers: Type.Integer(),
  unfixed: Type.Integer(),
  incomparable: Type.Integer(),
  is_major: Type.Boolean(),
});

export const ComponentDetail = Type.Object({
  ...ComponentRow.properties,
  description: Nullable(Type.String()),
  first_seen: Timestamp,
  depends_on: Type.Array(Neighbour),
  used_by: Type.Array(Neighbour),
  dependency_paths: DependencyPaths,
  /** Other applications with the same package, the same version first; at most 100. */
  used_in: Type.Array(
    Type.Object({
      _id: Id,
      repository_id: Id,
      repository: Type.String(),
      version: Nullable(Type.String()),
      same_version: Type.Boolean(),
    }),
  ),
  upgrade: Upgrade,
  /** How the source of the application uses the package; null where the source was not read or the ecosystem is not covered. */
  package_use: Nullable(OneOf(PACKAGE_USES)),
  /** The first place that imports it; null unless it is imported. */
  package_imported_by: Nullable(Type.Object({ path: Type.String(), line: Type.Integer(), files: Type.Integer() })),
  /** The newest version above this one that an inventory or a report names; `published` says what a registry has. Null where none does. */
  newest_known: Nullable(
    Type.Object({
      version: Type.String(),
      /** The application whose inventory lists it; null where a report names it as fixed. */
      repository: Nullable(Type.String()),
    }),
  ),
  version_lookup: Type.Object({
    state: OneOf(LOOKUP_STATES),
    /** When the service answered last. */
    answered_at: Nullable(Timestamp),
    /** Host of the service. */
    service: Type.String(),
  }),
  component_findings: Type.Array(
    Type.Object({
      _id: Id,
      title: Type.String(),
      severity: OneOf(SEVERITIES),
      priority: Type.Number(),
      cve: Nullable(Type.String()),
      component_version: Nullable(Type.String()),
      fixed_version: Nullable(Type.String()),
      /** False where the finding speaks of another version than the inventory. */
      same_version: Type.Boolean(),
    }),
  ),
});

/** `released_on`: the oldest first when ascending, those of which it is not known last. */
export const COMPONENT_SORT_FIELDS = ['name', 'findings', 'last_seen', 'released_on'] as const;

/** Conditions of a list of components; all that are given must hold. */
const ComponentConditions = {
  search: Type.Optional(Type.String({ maxLength: 200 })),
  filters: Type.Optional(
    Type.Object(
      {
        repository: Type.Optional(Type.Array(Id)),
        /** Any of them. A tag with a comma is sent as `filters[repository_tag][]`. */
        repository_tag: Type.Optional(Type.Array(Type.String({ maxLength: 100 }))),
        ecosystem: Type.Optional(Type.Array(Type.String({ maxLength: 50 }))),
        license: Type.Optional(Type.Array(Type.String({ maxLength: 200 }))),
        license_class: Type.Optional(Type.Array(OneOf(LICENSE_CLASSES))),
        vulnerable: Type.Optional(OneOf(['hide', 'show', 'only'])),
      },
      { additionalProperties: false },
    ),
  ),
};

const ComponentQuery = Type.Object(ComponentConditions, { additionalProperties: false });
export type ComponentQuery = Static<typeof ComponentQuery>;

export const listComponents = route({
  method: 'GET',
  path: '/sbom-findings',
  tag: 'sbom',
  summary: 'Components of the inventories',
  access: { permission: 'components.read', tenant: true },
  query: Type.Object(
    {
      ...pageQuery,
      ...ComponentConditions,
      sort: Type.Optional(OneOf(['asc', 'desc'])),
      sort_field: Type.Optional(OneOf(COMPONENT_SORT_FIELDS)),
    },
    { additionalProperties: false },
  ),
  response: List(ComponentRow),
});

const Counts = Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }));

const ComponentFacets = Type.Object({
  license_class: Type.Array(Type.Object({ value: OneOf(LICENSE_CLASSES), count: Type.Integer() })),
  /** Applications by name; `value` is the id. At most 500. */
  repository: Type.Array(Type.Object({ value: Id, label: Type.String(), count: Type.Integer() })),
  /** The 200 most used. */
  license: Counts,
  /** The 200 most used. */
  ecosystem: Counts,
});
export type ComponentFacets = Static<typeof ComponentFacets>;

/** Values that a filter of components offers. Each counts as if its own filter were not set. */
export const readComponentFacets = route({
  method: 'GET',
  path: '/filter/sbom-findings',
  tag: 'sbom',
  summary: 'Filter values of the inventories with their counts',
  access: { permission: 'components.read', tenant: true },
  query: ComponentQuery,
  response: Type.Object({ data: ComponentFacets }),
});

export const getComponent = route({
  method: 'GET',
  path: '/sbom-findings/{id}',
  tag: 'sbom',
  summary: 'One component with its findings and neighbours',
  access: { permission: 'components.read', tenant: true },
  params: Type.Object({ id: Id }),
  response: One(ComponentDetail),
  errors: ['component_not_found'],
});

export const SBOM_FORMATS = ['cyclonedx', 'spdx'] as const;

export const exportSbom = route({
  method: 'GET',
  path: '/repositories/{id}/sbom',
  tag: 'sbom',
  summary: 'Inventory of an application as CycloneDX 1.6 or SPDX 2.3 (JSON)',
  access: { permission: 'components.read', tenant: false },
  audit: 'data.exported',
  params: Type.Object({ id: Id }),
  query: Type.Object({ format: Type.Optional(OneOf(SBOM_FORMATS)) }, { additionalProperties: false }),
  response: Type.String(),
  responseKind: 'file',
  errors: ['repository_not_found'],
});

export const exportVex = route({
  method: 'GET',
  path: '/repositories/{id}/vex',
  tag: 'sbom',
  summary: 'What was decided about the vulnerabilities of an application (CycloneDX 1.6 VEX)',
  access: { permission: 'components.read', tenant: false },
  audit: 'data.exported',
  params: Type.Object({ id: Id }),
  response: Type.String(),
  responseKind: 'file',
  errors: ['repository_not_found'],
});

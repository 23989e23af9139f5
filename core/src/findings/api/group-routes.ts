import { SEVERITIES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import {
  Item,
  Nullable,
  OneOf,
  Pagination,
  pageQuery,
  SeverityCounts,
  Timestamp,
} from '../../platform/api/envelope.ts';
import { GROUP_KEYS, GROUP_SORTS } from '../model/filter-catalogue.ts';
import { FindingFilters } from '../model/filter-schema.ts';

/** Findings that have one vulnerability, component, file, rule or repository in common. */
export const FindingGroup = Type.Object({
  /** CVE or other name, component, path, rule id, id of a repository. */
  key: Type.String(),
  /** The same, and of a repository its name. */
  label: Type.String(),
  /** Title of one of its findings. */
  title: Nullable(Type.String()),
  /** Of a rule. */
  tool: Nullable(Type.String()),
  count: Type.Integer(),
  severities: SeverityCounts,
  /** The worst of its findings. */
  severity: OneOf(SEVERITIES),
  /** 0-100. */
  highest_priority: Type.Number(),
  kev: Type.Boolean(),
  /** 0-1. */
  max_epss: Nullable(Type.Number()),
  /** How many repositories it is in. */
  repositories: Type.Integer(),
  /** When one of them was last in a report; of a repository, when a report of one of their tools was last read there. */
  last_seen: Nullable(Timestamp),
  /** Filters of `GET /findings` that list exactly its findings, with the same free text. */
  filters: FindingFilters,
});

export const GroupListQuery = Type.Object(
  {
    ...pageQuery,
    by: OneOf(GROUP_KEYS),
    filters: Type.Optional(FindingFilters),
    search: Type.Optional(Type.String({ maxLength: 200 })),
    sort: Type.Optional(OneOf(['asc', 'desc'])),
    sort_field: Type.Optional(OneOf(GROUP_SORTS)),
  },
  { additionalProperties: false },
);

export const GroupList = Type.Object({
  data: Type.Array(Item(FindingGroup)),
  meta: Type.Object({
    pagination: Pagination,
    /** Findings in all groups; those that name no vulnerability, component or file are in none. */
    grouped: Type.Integer(),
  }),
});

export const listFindingGroups = route({
  method: 'GET',
  path: '/findings/groups',
  tag: 'findings',
  summary: 'Findings put together by vulnerability, component, file, rule or repository',
  access: { permission: 'findings.read', tenant: true },
  query: GroupListQuery,
  response: GroupList,
});

import { SEVERITIES } from '@breakwater/sdk';
import { type Static, type TOptional, type TSchema, type TUnsafe, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import {
  Action,
  Id,
  Item,
  Nullable,
  One,
  OneOf,
  Pagination,
  pageQuery,
  Timestamp,
} from '../../platform/api/envelope.ts';
import {
  type AttributeKey,
  type AttributeValues,
  COLUMN_KEYS,
  FIELD_KEYS,
  ON_DEMAND_KEYS,
  type OnDemandKey,
  ROW_KEYS,
  type RowKey,
} from '../model/column-catalogue.ts';
import { DUPLICATE_REASONS } from '../model/duplicate-reasons.ts';
import { FACET_KEYS } from '../model/filter-catalogue.ts';
import { FindingFilters } from '../model/filter-schema.ts';
import { FINDING_ATTRIBUTES, type FindingAttribute, type ValueKind } from '../model/finding-attributes.ts';
import { CERTAINTIES, FINDING_EVENT_KINDS, VERDICTS } from '../model/states.ts';

export { FindingFilters };

/** Orders of the list; those after `_id` are by value, then by priority. */
export const SORT_FIELDS = [
  'priority',
  'severity',
  'date',
  'first_seen',
  'cvssv3_score',
  'estimated_epss',
  '_id',
  'status',
  'verdict',
  'type',
  'tool',
  'category',
  'language',
  'repository',
  'kev',
] as const;

/** Fields that may be estimates. */
export const ESTIMATED_FIELDS = [
  'effort_for_fixing',
  'exploitability',
  'impact',
  'mitigation',
  'language',
  'policy_name',
  'policy_category',
  'policy_control',
] as const;

const SCHEMAS: Readonly<Record<Extract<ValueKind, string>, TSchema>> = {
  text: Type.String(),
  prose: Type.String(),
  code: Type.String(),
  integer: Type.Integer(),
  number: Type.Number(),
  boolean: Type.Boolean(),
  id: Id,
  time: Timestamp,
  day: Type.String({ format: 'date' }),
  texts: Type.Array(Type.String()),
  integers: Type.Array(Type.Integer()),
  ids: Type.Array(Id),
};

const schemaOf = (key: AttributeKey): TSchema => {
  const { value, isNullable, isOnDemand }: FindingAttribute = FINDING_ATTRIBUTES[key];
  const schema = typeof value === 'string' ? SCHEMAS[value] : OneOf(value);
  const nullable = isNullable === true ? Nullable(schema) : schema;
  return isOnDemand === true ? Type.Optional(nullable) : nullable;
};

function rowSchemas(): { [Key in RowKey]: TUnsafe<AttributeValues[Key]> } & {
  [Key in OnDemandKey]: TOptional<TUnsafe<AttributeValues[Key]>>;
};
function rowSchemas(): Record<string, TSchema> {
  return Object.fromEntries([...ROW_KEYS, ...ON_DEMAND_KEYS].map((key) => [key, schemaOf(key)]));
}

/** What a row of the list shows, from the catalogue of the attributes. Long texts are there where `fields` or `include` names them. */
export const FindingRow = Type.Object(rowSchemas());

const Place = Type.Object({
  path: Type.String(),
  start_line: Nullable(Type.Integer()),
  end_line: Nullable(Type.Integer()),
  snippet: Nullable(Type.String()),
  message: Nullable(Type.String()),
});

/** All that the detail page shows. */
export const FindingDetail = Type.Object({
  ...FindingRow.properties,
  description: Nullable(Type.String()),
  mitigation: Nullable(Type.String()),
  policy_name: Nullable(Type.String()),
  policy_category: Nullable(Type.String()),
  policy_control: Nullable(Type.String()),
  /** Fields that our rules estimated, because the tool gave none. */
  estimated: Type.Array(OneOf(ESTIMATED_FIELDS)),
  native_severity: Nullable(Type.String()),
  resource: Nullable(Type.String()),
  http_request: Nullable(Type.String()),
  http_response: Nullable(Type.String()),
  curl_command: Nullable(Type.String()),
  cvssv3_vector: Nullable(Type.String()),
  /** base64 of the code as reported. Source: specification §2, finding details. */
  scanner_report_code: Nullable(Type.String()),
  /** The same as text. */
  code: Nullable(Type.String()),
  /** Line number of the first line of the code. */
  code_start_line: Nullable(Type.Integer()),
  aliases: Type.Array(Type.String()),
  references: Type.Array(Type.String()),
  locations: Type.Array(Place),
  code_flows: Type.Array(Type.Array(Place)),
  /** What imports the package first; null where nothing is known to. */
  package_imported_by: Nullable(
    Type.Object({ name: Type.String(), path: Type.String(), line: Type.Integer(), files: Type.Integer() }),
  ),
  cwe_names: Type.Array(Type.Object({ id: Type.Integer(), name: Type.String() })),
  owasp_2021: Nullable(Type.String()),
  owasp_2025: Nullable(Type.String()),
  epss_model: Nullable(Type.String()),
  kev_due_date: Nullable(Type.String()),
  kev_ransomware: Nullable(Type.Boolean()),
  kev_required_action: Nullable(Type.String()),
  priority_parts: Type.Array(
    Type.Object({ key: Type.String(), points: Type.Number(), of: Type.Integer(), reason: Type.String() }),
  ),
  verdict_reason: Nullable(Type.String()),
  verdict_expires_at: Nullable(Timestamp),
  notes: Nullable(Type.String()),
  /** What the wish for a review proposes, with its reason. */
  proposed_verdict: Nullable(OneOf(VERDICTS)),
  proposed_reason: Nullable(Type.String()),
  /** What the report says where a person set the severity; else null. */
  reported_severity: Nullable(OneOf(SEVERITIES)),
  /** Names of the users whose ids stand in `issue_owner`, `developers` and `review_requested_by_id`. */
  people: Type.Array(Type.Object({ _id: Id, username: Type.String() })),
  /** Other results that say the same: this finding's duplicates, or its original. */
  occurrences: Type.Array(
    Type.Object({
      _id: Id,
      tool: Type.String(),
      title: Type.String(),
      rule_id: Type.String(),
      cve: Nullable(Type.String()),
      file_path: Nullable(Type.String()),
      start_line: Nullable(Type.Integer()),
      relation: OneOf(['duplicate', 'original', 'subfinding', 'parent']),
      /** How sure it is that both say the same; null for a sub-finding and its parent. */
      certainty: Nullable(OneOf(CERTAINTIES)),
      /** What both have in common; empty for a sub-finding and its parent. */
      reasons: Type.Array(OneOf(DUPLICATE_REASONS)),
      /** The same as text, with what a person wrote; null where there is none. */
      reason: Nullable(Type.String()),
    }),
  ),
});

/** The finding after a change; `change_id` takes it back and is null where nothing had to be written. */
export const ChangedFinding = Type.Object({
  data: Item(FindingDetail),
  meta: Type.Object({ change_id: Nullable(Id) }),
});

const listQuery = {
  ...pageQuery,
  filters: Type.Optional(FindingFilters),
  search: Type.Optional(Type.String({ maxLength: 200 })),
  sort: Type.Optional(OneOf(['asc', 'desc'])),
  sort_field: Type.Optional(OneOf(SORT_FIELDS)),
  /** `later`: rows first. A page whose findings take longer to count then says null for `total` and `pageCount`. */
  total: Type.Optional(OneOf(['exact', 'later'])),
};

export const FindingListQuery = Type.Object(
  {
    ...listQuery,
    /** Attributes that rows have; all others are left out. Without it they have all but the long texts. */
    fields: Type.Optional(Type.Array(OneOf(FIELD_KEYS), { maxItems: 100 })),
    /** Long texts that rows have besides. */
    include: Type.Optional(Type.Array(OneOf(ON_DEMAND_KEYS), { maxItems: ON_DEMAND_KEYS.length })),
  },
  { additionalProperties: false },
);

/** The query of exports; `fields` names their columns. */
export const FindingExportQuery = Type.Object(
  { ...listQuery, fields: Type.Optional(Type.Array(OneOf(COLUMN_KEYS), { maxItems: 100 })) },
  { additionalProperties: false },
);

/** Rows are whole unless the query names `fields`: then they have those attributes only. */
const ListedRow = Type.Unsafe<Static<typeof FindingRow>>(Type.Partial(FindingRow));

/** The answer of lists of findings. `total` is null only where the query says that it may come later. */
export const FindingList = Type.Object({
  data: Type.Array(Item(ListedRow)),
  meta: Type.Object({
    pagination: Type.Object({
      ...Pagination.properties,
      pageCount: Nullable(Type.Integer()),
      total: Nullable(Type.Integer()),
    }),
  }),
});

export const listFindings = route({
  method: 'GET',
  path: '/findings',
  tag: 'findings',
  summary: 'Findings the caller may see, filtered and sorted',
  access: { permission: 'findings.read', tenant: true, apiToken: ['read'] },
  query: FindingListQuery,
  response: FindingList,
});

export const getFinding = route({
  method: 'GET',
  path: '/findings/{id}',
  tag: 'findings',
  summary: 'One finding with its code, score and signals',
  access: { permission: 'findings.read', tenant: true, apiToken: ['read'] },
  params: Type.Object({ id: Id }),
  response: One(FindingDetail),
  errors: ['finding_not_found'],
});

/** Where a finding stands in a list. */
export const FindingPlace = Type.Object({
  /** 1 for the first; null where the list does not have it. */
  place: Nullable(Type.Integer()),
  total: Type.Integer(),
  previous: Nullable(Id),
  next: Nullable(Id),
});

export const getFindingPlace = route({
  method: 'GET',
  path: '/findings/{id}/place',
  tag: 'findings',
  summary: 'Where a finding stands in a list by priority, with its neighbours',
  access: { permission: 'findings.read', tenant: true },
  params: Type.Object({ id: Id }),
  query: Type.Object(
    { filters: Type.Optional(FindingFilters), search: Type.Optional(Type.String({ maxLength: 200 })) },
    { additionalProperties: false },
  ),
  response: Type.Object({ data: FindingPlace }),
  errors: ['finding_not_found'],
});

export const toggleFalsePositive = route({
  method: 'PUT',
  path: '/findings/{id}/toggle_false_positive',
  tag: 'findings',
  summary: 'Mark a finding false positive, or take that back',
  access: { permission: 'findings.triage', tenant: true },
  params: Type.Object({ id: Id }),
  body: Type.Object(
    {
      reason: Type.Optional(Type.String({ maxLength: 2000 })),
      /** What it is to be; without it, the opposite of what it is. */
      is_false_positive: Type.Optional(Type.Boolean()),
    },
    { additionalProperties: false },
  ),
  response: ChangedFinding,
  errors: ['finding_not_found'],
});

export const FindingEvent = Type.Object({
  kind: OneOf(FINDING_EVENT_KINDS),
  at: Timestamp,
  /** Username, or null for an import. */
  actor: Nullable(Type.String()),
  scan_id: Nullable(Id),
  from: Nullable(Type.String()),
  to: Nullable(Type.String()),
  reason: Nullable(Type.String()),
  /** The change that it belongs to, for `POST /findings/undo`; null for what nobody can take back. */
  change_id: Nullable(Id),
  /** Whether nothing has been decided about the same since. */
  can_undo: Type.Boolean(),
});

export const getFindingHistory = route({
  method: 'GET',
  path: '/findings/{id}/history',
  tag: 'findings',
  summary: 'What happened to a finding, newest first',
  access: { permission: 'findings.read', tenant: true },
  params: Type.Object({ id: Id }),
  response: Type.Object({ data: Type.Array(Item(FindingEvent)) }),
  errors: ['finding_not_found'],
});

/** Options of the filters with counts, under the given filters. Without `filter_key` all keys. At most 200 values a key, most frequent first. */
export const getFilterOptions = route({
  method: 'GET',
  path: '/filter/findings',
  tag: 'findings',
  summary: 'Options for the filters, with counts',
  access: { permission: 'account.use', tenant: false },
  query: Type.Object(
    {
      filter_key: Type.Optional(OneOf(FACET_KEYS)),
      /** Only options that have these words; for file, cve, component and policies, which may have more than 200. */
      filter_search: Type.Optional(Type.String({ maxLength: 200 })),
      /** Whose findings; another client's for a superadmin only. */
      client_id: Type.Optional(Id),
      filters: Type.Optional(FindingFilters),
      search: Type.Optional(Type.String({ maxLength: 200 })),
    },
    { additionalProperties: false },
  ),
  response: Action(
    Type.Record(
      Type.String(),
      Type.Array(Type.Object({ value: Type.String(), label: Type.String(), count: Type.Integer() })),
    ),
  ),
});

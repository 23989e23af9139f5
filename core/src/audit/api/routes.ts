import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Item, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { ACTOR_TYPES, AUDIT_KIND_NAMES } from '../../platform/model/audit-kinds.ts';

const strict = { additionalProperties: false } as const;
const tag = 'audit';

export const AuditEntry = Type.Object({
  at: Timestamp,
  /** One of the known kinds; an entry of another release may name others. */
  kind: Type.String(),
  /** As they were called then. */
  actor: Type.String(),
  actor_id: Nullable(Id),
  actor_type: OneOf(ACTOR_TYPES),
  /** Of the network; null for work that no request asked for. */
  address: Nullable(Type.String()),
  /** Browser and system, as far as the program says: `Firefox 132 on Windows`. */
  device: Nullable(Type.String()),
  /** As the program named itself. */
  agent: Nullable(Type.String()),
  subject: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
});

const AuditFilters = Type.Object(
  {
    kind: Type.Optional(Type.Array(OneOf(AUDIT_KIND_NAMES), { maxItems: AUDIT_KIND_NAMES.length })),
    /** Ids of people or tokens. */
    actor: Type.Optional(Type.Array(Id, { maxItems: 50 })),
    /** Days, both inclusive. */
    date_gt: Type.Optional(Type.String({ format: 'date' })),
    date_lt: Type.Optional(Type.String({ format: 'date' })),
    /** Where the days begin, as in `Europe/Berlin`; UTC without it. */
    time_zone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  },
  strict,
);
export type AuditFilters = Static<typeof AuditFilters>;

const conditions = {
  filters: Type.Optional(AuditFilters),
  /** Words of the actor, the subject or the address. */
  search: Type.Optional(Type.String({ maxLength: 200 })),
};

const page = Type.Object(
  {
    ...conditions,
    /** `meta.next_cursor` of the page before. */
    cursor: Type.Optional(Id),
    pagination_pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  strict,
);
const AuditPage = Type.Object({
  data: Type.Array(Item(AuditEntry)),
  /** Null on the last page. */
  meta: Type.Object({ next_cursor: Nullable(Id), retention_days: Type.Integer() }),
});

/** Ours: who did what, when and from where. */
export const listAudit = route({
  method: 'GET',
  path: '/audit',
  tag,
  summary: 'The audit log, newest first, by cursor',
  access: { permission: 'audit.read', tenant: true },
  query: page,
  response: AuditPage,
  errors: ['validation_failed'],
});

export const AUDIT_FORMATS = ['csv', 'json'] as const;
export type AuditFormat = (typeof AUDIT_FORMATS)[number];

export const exportAudit = route({
  method: 'GET',
  path: '/audit/export',
  tag,
  summary: 'The entries of the audit log that match, as a file; cells of CSV are harmless in spreadsheets',
  access: { permission: 'audit.read', tenant: false },
  audit: 'data.exported',
  query: Type.Object({ ...conditions, format: Type.Optional(OneOf(AUDIT_FORMATS)) }, strict),
  response: Type.String(),
  responseKind: 'file',
  errors: ['validation_failed'],
});

export const AccessEntry = Type.Object({
  ...AuditEntry.properties,
  client_id: Id,
  /** Of whom it is. */
  organization_name: Type.String(),
});

/** Ours: what superadmins looked at, of all organisations. Source: issue 17, "the access log as a screen". */
export const listAccesses = route({
  method: 'GET',
  path: '/platform/access-log',
  tag,
  summary: 'What superadmins read inside organisations, newest first, by cursor',
  access: { permission: 'platform.operate', tenant: false },
  query: Type.Object(
    {
      /** Words of the superadmin, the organisation or the path. */
      search: Type.Optional(Type.String({ maxLength: 200 })),
      cursor: Type.Optional(Id),
      pagination_pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    },
    strict,
  ),
  response: Type.Object({
    data: Type.Array(Item(AccessEntry)),
    meta: Type.Object({ next_cursor: Nullable(Id) }),
  }),
});

/** Every look is written down for the client (`audit_entries`). Source: decisions.md "Roles". */
export const listManagedAudit = route({
  method: 'GET',
  path: '/manage-clients/audit/{client}',
  tag,
  summary: 'The audit log of a client',
  access: { permission: 'clients.manage', tenant: false },
  params: Type.Object({ client: Id }),
  query: page,
  response: AuditPage,
  errors: ['client_not_found', 'validation_failed'],
});

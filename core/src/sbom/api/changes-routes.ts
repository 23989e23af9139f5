import { SEVERITIES } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { CHANGE_KINDS } from '../model/inventory-changes.ts';

const ChangedVersion = Type.Object({
  _id: Id,
  version: Nullable(Type.String()),
  direct: Nullable(Type.Boolean()),
  /** Open findings of the application that are reported for this version, and the worst of them. */
  findings: Type.Integer(),
  worst_severity: Nullable(OneOf(SEVERITIES)),
  /** Findings reported for this version that are fixed. */
  fixed: Type.Integer(),
});

export const InventoryChanges = Type.Object({
  repository: Type.String(),
  /** Imports after which the inventory was another one, newest first, at most 100. */
  moments: Type.Array(Type.Object({ at: Timestamp, added: Type.Integer(), removed: Type.Integer() })),
  /** The two that are compared; null where there are not two. */
  from: Nullable(Timestamp),
  to: Nullable(Timestamp),
  totals: Type.Array(Type.Object({ kind: OneOf(CHANGE_KINDS), count: Type.Integer() })),
  /** By name, at most 1,000. */
  changes: Type.Array(
    Type.Object({
      kind: OneOf(CHANGE_KINDS),
      name: Type.String(),
      ecosystem: Nullable(Type.String()),
      /** Versions that only the earlier inventory lists, and those that only the later one does. */
      before: Type.Array(ChangedVersion),
      after: Type.Array(ChangedVersion),
    }),
  ),
});
export type InventoryChanges = Static<typeof InventoryChanges>;

export const readInventoryChanges = route({
  method: 'GET',
  path: '/repositories/{id}/inventory-changes',
  tag: 'sbom',
  summary: 'What two inventories of an application differ in, and what that means for its findings',
  access: { permission: 'components.read', tenant: true },
  params: Type.Object({ id: Id }),
  query: Type.Object(
    {
      /** Default: the inventory before `to`. */
      from: Type.Optional(Timestamp),
      /** Default: the newest. */
      to: Type.Optional(Timestamp),
    },
    { additionalProperties: false },
  ),
  response: Type.Object({ data: InventoryChanges }),
  errors: ['repository_not_found'],
});

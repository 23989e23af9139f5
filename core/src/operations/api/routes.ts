import { type Static, type TProperties, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { HEALTH_STATUSES } from '../model/health.ts';

const Status = OneOf(HEALTH_STATUSES);
/** Null: it could not be read, which the server's log explains. */
const part = <P extends TProperties>(fields: P) => Nullable(Type.Object({ status: Status, ...fields }));

export const Health = Type.Object({
  checked_at: Timestamp,
  database: part({
    version: Type.String(),
    size_bytes: Type.Integer(),
    connections: Type.Integer(),
    max_connections: Type.Integer(),
  }),
  queue: part({
    /** Since when the first job that nobody took yet could have run; null where none waits. */
    waiting_since: Nullable(Timestamp),
    jobs: Type.Array(
      Type.Object({
        name: Type.String(),
        waiting: Type.Integer(),
        active: Type.Integer(),
        failed: Type.Integer(),
      }),
    ),
    imports: Type.Object({ unfinished: Type.Integer(), oldest_at: Nullable(Timestamp) }),
  }),
  /** The last nightly check of a sample of organisations; `checked_at` is null before the first. */
  rollups: part({ checked_at: Nullable(Timestamp), clients: Type.Integer(), differences: Type.Integer() }),
  scanners: part({
    /** Those that this server can start; `version` is null where it does not have one. */
    items: Type.Array(Type.Object({ id: Type.String(), title: Type.String(), version: Nullable(Type.String()) })),
  }),
  feeds: part({
    items: Type.Array(
      Type.Object({
        id: Type.String(),
        title: Type.String(),
        data_date: Nullable(Type.String()),
        checked_at: Nullable(Timestamp),
        failure: Nullable(Type.String()),
      }),
    ),
  }),
  mail: part({ is_configured: Type.Boolean(), waiting: Type.Integer(), failed: Type.Integer() }),
});
export type Health = Static<typeof Health>;

/** Ours: what the operator of the installation looks at first. */
export const getHealth = route({
  method: 'GET',
  path: '/platform/health',
  tag: 'operations',
  summary: 'How database, queue, counts, scanners, feeds and mail are',
  access: { permission: 'platform.operate', tenant: false },
  response: Type.Object({ data: Health }),
});

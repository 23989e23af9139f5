import { Type } from 'typebox';
import { FindingFilters } from '../../findings/model/filter-schema.ts';
import { route } from '../../platform/api/contract.ts';
import { Nullable } from '../../platform/api/envelope.ts';
import { chartQuery } from './chart-routes.ts';

/** A figure with the filters that, on top of those of the call, list exactly its findings. */
const Counted = Type.Object({
  count: Type.Integer(),
  filters: FindingFilters,
  /** The application with most of them; null where there is none. */
  most: Nullable(Type.Object({ name: Type.String(), count: Type.Integer(), filters: FindingFilters })),
});

/** What the dashboard says of the last seven days. */
export const ChangesOfWeek = Type.Object({
  data: Type.Object({
    since: Type.String({ format: 'date' }),
    open: Type.Integer(),
    /** Open now less open before; `found` - `fixed` + `other`. */
    net: Type.Integer(),
    /** By verdicts, and by findings that came back. */
    other: Type.Integer(),
    found: Counted,
    fixed: Counted,
  }),
});

/** Ours: how the open findings changed in the last seven days (UTC), today among them. */
export const changesOfWeek = route({
  method: 'GET',
  path: '/findings_changes',
  tag: 'posture',
  summary: 'What was found and fixed in the last seven days',
  access: { permission: 'findings.read', tenant: true },
  query: Type.Object(chartQuery, { additionalProperties: false }),
  response: ChangesOfWeek,
});

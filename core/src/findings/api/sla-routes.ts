import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { DUE_STARTS, MAX_SLA_DAYS } from '../model/sla.ts';

/** Whole days from the day that `starts` names; null: no limit. */
const Days = Nullable(Type.Integer({ minimum: 1, maximum: MAX_SLA_DAYS }));

/** Days to fix a finding of each severity. Source: decisions.md "States". */
export const SlaSettings = Type.Object({
  critical: Days,
  high: Days,
  medium: Days,
  low: Days,
  informational: Days,
  /** From when the days count: the day on which the tool reported the finding, or that of its first import here. */
  starts: OneOf(DUE_STARTS),
  /** Null while the default holds. So the next. */
  updated_at: Nullable(Timestamp),
  /** Username. */
  updated_by: Nullable(Type.String()),
});

const Change = Type.Object(
  {
    critical: Type.Optional(Days),
    high: Type.Optional(Days),
    medium: Type.Optional(Days),
    low: Type.Optional(Days),
    informational: Type.Optional(Days),
    starts: Type.Optional(OneOf(DUE_STARTS)),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const getSla = route({
  method: 'GET',
  path: '/client/sla',
  tag: 'findings',
  summary: 'Days that the organisation allows for fixing a finding of each severity',
  access: { permission: 'settings.read', tenant: true },
  response: Type.Object({ data: SlaSettings }),
});

/** Holds for what is there at once: nothing about it is stored with a finding. */
export const saveSla = route({
  method: 'PUT',
  path: '/client/sla',
  tag: 'findings',
  summary: 'Change the days that are allowed for fixing a finding',
  access: { permission: 'settings.write', tenant: true },
  audit: 'settings.changed',
  body: Change,
  response: Action(SlaSettings),
});

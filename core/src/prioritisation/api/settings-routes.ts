import { SEVERITIES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Item, Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { settingsChangeFields, settingsFields } from '../model/settings/priority-settings.ts';

const Points = Type.Integer({ minimum: 0, maximum: 100 });

/** Points that each part can give; they add up to 100. */
const PartWeights = Type.Object({
  severity: Points,
  known_exploited: Points,
  epss: Points,
  exploitability: Points,
  data: Points,
  compliance: Points,
});

const Person = Type.Object({ _id: Id, username: Nullable(Type.String()) });

/** How far the stored findings are scored with the settings. */
const Recomputation = Type.Object({
  is_running: Type.Boolean(),
  percentage: Type.Integer({ minimum: 0, maximum: 100 }),
  /** Findings that were gone through, of `total`. */
  done: Type.Integer(),
  total: Type.Integer(),
  /** For `GET /jobs/{id}` of whoever saved; null once it has ended. */
  job_id: Nullable(Id),
});

export const PrioritySettingsAttributes = Type.Object({
  ...settingsFields,
  /** Grows with every change; 0 while nothing was ever saved. */
  version: Type.Integer(),
  /** What the settings come to. */
  weights: PartWeights,
  updated_at: Nullable(Timestamp),
  updated_by: Nullable(Person),
  recomputation: Recomputation,
});

const Change = Type.Object(
  {
    ...settingsChangeFields,
    /** The version that the change was made from; another one in the meantime is a conflict. Without it the last one wins. */
    version: Type.Optional(Type.Integer({ minimum: 0 })),
  },
  { additionalProperties: false },
);

export const readPrioritySettings = route({
  method: 'GET',
  path: '/client/prioritisation',
  tag: 'prioritisation',
  summary: 'How the organisation weighs what a priority rests on, and how far its findings are scored with it',
  access: { permission: 'prioritisation.read', tenant: true },
  response: One(PrioritySettingsAttributes),
});

/** Imports use the new weights at once. 202: the stored findings follow in a job; 200: no priority depends on the change. */
export const changePrioritySettings = route({
  method: 'PUT',
  path: '/client/prioritisation',
  tag: 'prioritisation',
  summary: 'Change the prioritisation settings and score all findings anew',
  access: { permission: 'settings.write', tenant: true },
  audit: 'settings.changed',
  body: Change,
  response: One(PrioritySettingsAttributes),
  errors: ['validation_failed', 'conflict'],
});

const Shown = Item(
  Type.Object({
    title: Type.String(),
    severity: OneOf(SEVERITIES),
    /** 0-100 with thousandths. */
    before: Type.Number(),
    after: Type.Number(),
  }),
);

/** What saving would do. */
export const PreviewAttributes = Type.Object({
  /** Open findings of default branches. */
  total: Type.Integer(),
  /** Of how many of them the figures are; fewer than `total` means that the counts are estimates. */
  looked_at: Type.Integer(),
  is_estimate: Type.Boolean(),
  changed: Type.Integer(),
  raised: Type.Integer(),
  lowered: Type.Integer(),
  /** Findings that come to 80 or more from below, and those that leave it. */
  rise_above_80: Type.Integer(),
  fall_below_80: Type.Integer(),
  weights: PartWeights,
  /** Findings by priority, `from` to `to` inclusive. */
  bands: Type.Array(
    Type.Object({ from: Type.Integer(), to: Type.Integer(), before: Type.Integer(), after: Type.Integer() }),
  ),
  /** At most ten, highest first. With `is_estimate` the second list is of the findings that were looked at. */
  top_before: Type.Array(Shown),
  top_after: Type.Array(Shown),
});

/** Changes nothing. Never goes through more than some thousands of findings: see `is_estimate`. */
export const previewPrioritySettings = route({
  method: 'POST',
  path: '/client/prioritisation/preview',
  tag: 'prioritisation',
  summary: 'What a change of the prioritisation settings would do, before it is saved',
  access: { permission: 'settings.write', tenant: true },
  body: Change,
  response: Type.Object({ data: PreviewAttributes }),
  errors: ['validation_failed'],
});

/** One change, with what it came to. */
export const PastSettings = Type.Object({
  ...settingsFields,
  version: Type.Integer(),
  weights: PartWeights,
  updated_at: Timestamp,
  updated_by: Person,
});

export const listPrioritySettings = route({
  method: 'GET',
  path: '/client/prioritisation/history',
  tag: 'prioritisation',
  summary: 'The last 50 changes of the prioritisation settings, newest first',
  access: { permission: 'prioritisation.read', tenant: true },
  response: Type.Object({ data: Type.Array(Item(PastSettings)) }),
});

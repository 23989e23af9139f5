import { FINDING_TYPES, POSTURE_CHECKS } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Item, Nullable, One, OneOf, SeverityCounts, Timestamp } from '../../platform/api/envelope.ts';
import { CONTROL_STATES } from '../model/control-state.ts';

const access = { permission: 'findings.read', tenant: true } as const;
const managed = { permission: 'clients.manage', tenant: false } as const;

const head = {
  name: Type.String(),
  edition: Type.String(),
  publisher: Type.String(),
  /** Where the framework itself is found. */
  source: Type.String(),
  /** Day of our mapping. */
  date: Type.String({ format: 'date' }),
  /** The organisation names it among its regulations. */
  is_named: Type.Boolean(),
  /** Value of the filter `control` that lists the open findings counted here. */
  filter: Type.String(),
  /** Open findings that speak of any of its controls, each once. */
  counts: SeverityCounts,
  /** How many controls are in each state. */
  states: Type.Object({
    assessed: Type.Integer(),
    partly_assessed: Type.Integer(),
    not_assessed: Type.Integer(),
  }),
};

export const FrameworkSummary = Type.Object(head);

/** What people decided, and what is gone: each the number of findings under `control` and the filter that it names. */
const Decided = Type.Object({
  accepted_risk: Type.Integer(),
  false_positive: Type.Integer(),
  mitigated: Type.Integer(),
});

export const FrameworkControl = Type.Object({
  /** As the framework counts it. */
  id: Type.String(),
  /** Our own short words, by language. */
  text: Type.Object({ en: Type.String(), de: Type.String() }),
  filter: Type.String(),
  /** Scanner families whose findings speak of it. */
  families: Type.Array(OneOf(FINDING_TYPES)),
  /** Settings of repositories that bear on it. */
  checks: Type.Array(OneOf(POSTURE_CHECKS)),
  /** Says how far anything looks at it, never that it is met. */
  state: OneOf(CONTROL_STATES),
  /** Newest report of a family or reading of a setting that covers it. */
  last_seen: Nullable(Timestamp),
  counts: SeverityCounts,
  decided: Decided,
});

/** A scanner family with the tools that reported. */
const FamilyEvidence = Type.Object({
  family: OneOf(FINDING_TYPES),
  tools: Type.Array(Type.String()),
  /** Null: none has ever reported. */
  last_seen: Nullable(Timestamp),
});

/** A setting with how it stands in the repositories that were read. */
const SettingEvidence = Type.Object({
  check: OneOf(POSTURE_CHECKS),
  label: Type.String(),
  ok: Type.Integer(),
  at_risk: Type.Integer(),
  unknown: Type.Integer(),
  /** Null: never read. */
  last_seen: Nullable(Timestamp),
  /** Open findings of this setting. */
  open: Type.Integer(),
});

export const FrameworkDetail = Type.Object({
  ...head,
  controls: Type.Array(FrameworkControl),
  families: Type.Array(FamilyEvidence),
  settings: Type.Array(SettingEvidence),
});

export type FrameworkSummary = Static<typeof FrameworkSummary>;
export type FrameworkDetail = Static<typeof FrameworkDetail>;
export type FrameworkControl = Static<typeof FrameworkControl>;

const Summaries = Type.Object({ data: Type.Array(Item(FrameworkSummary)) });
const FrameworkId = Type.String({ maxLength: 64 });

export const listFrameworks = route({
  method: 'GET',
  path: '/frameworks',
  tag: 'frameworks',
  summary: 'Frameworks with their open findings; those that the organisation names among its regulations first',
  access,
  response: Summaries,
});

export const getFramework = route({
  method: 'GET',
  path: '/frameworks/{id}',
  tag: 'frameworks',
  summary: 'Controls of a framework: what covers each, its open findings, and the evidence',
  access,
  params: Type.Object({ id: FrameworkId }),
  response: One(FrameworkDetail),
  errors: ['framework_not_found'],
});

export const listManagedFrameworks = route({
  method: 'GET',
  path: '/manage-clients/frameworks/{client}',
  tag: 'frameworks',
  summary: 'Frameworks of a client, as its own people see them',
  access: managed,
  params: Type.Object({ client: Id }),
  response: Summaries,
  errors: ['client_not_found'],
});

export const getManagedFramework = route({
  method: 'GET',
  path: '/manage-clients/frameworks/{client}/{id}',
  tag: 'frameworks',
  summary: 'Controls of a framework in a client, as its own people see them',
  access: managed,
  params: Type.Object({ client: Id, id: FrameworkId }),
  response: One(FrameworkDetail),
  errors: ['client_not_found', 'framework_not_found'],
});

import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';

/** Whether a model can be asked now. */
export const AI_STATES = ['ready', 'not_configured', 'not_connected', 'quota_used_up'] as const;
export type AiState = (typeof AI_STATES)[number];

const Model = Type.Object({
  state: OneOf(AI_STATES),
  /** Name of the deployment or model; null where none is configured. */
  name: Nullable(Type.String()),
});

/** The models of an organisation and what was used of them. */
export const AiUsage = Type.Object({
  remediation: Model,
  /** For the analysis of false positives; without a model of its own, that of the remediator. */
  validation: Model,
  /** The first moment of the month (UTC) that is counted. */
  since: Timestamp,
  uses: Type.Integer(),
  /** How many the plan allows a month; null: as many as one likes. */
  limit: Nullable(Type.Integer()),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  /** US dollars; null where no use of the month has a price. */
  cost_usd: Nullable(Type.Number()),
});

export const getAiUsage = route({
  method: 'GET',
  path: '/ai_usage',
  tag: 'ai',
  summary: 'Whether models can be asked, and what was used of them this month',
  access: { permission: 'findings.read', tenant: true },
  response: Type.Object({ data: AiUsage }),
});

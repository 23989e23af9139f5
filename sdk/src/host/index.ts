export type { HostConnection } from './connection.ts';
export { type CtxOptions, createCtx } from './ctx.ts';
export { createEgressGate, type EgressGate, type EgressOptions } from './egress-gate.ts';
export { type FailOptions, failEvent, shouldGiveUp } from './fail-event.ts';
export { fillTemplate, type TemplateValues } from './fill-template.ts';
export { type HttpLimits, LIMITS } from './limits.ts';
export { createMemoryStore } from './memory-store.ts';
export {
  type OAuthRefresh,
  type OAuthRevocation,
  type OAuthTokens,
  refreshOAuth,
  revokeOAuth,
} from './oauth.ts';
export type { Resolve } from './pinned-lookup.ts';
export { addressOf, originsOf, type Place } from './roots.ts';
export { type Outcome, runStep, type StepOptions } from './run-step.ts';
export { createSecretMask, type SecretMask } from './secret-mask.ts';

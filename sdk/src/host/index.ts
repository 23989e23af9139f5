export { VIEW_HEADERS, viewDocument } from '../view/view-document.ts';
export { consentAddress, installationAddress, type OAuthConsent, usesProofKey } from './auth/consent.ts';
export {
  exchangeOAuth,
  type OAuthExchange,
  type OAuthRefresh,
  OAuthRefusal,
  type OAuthRevocation,
  type OAuthTokens,
  refreshOAuth,
  revokeOAuth,
} from './auth/oauth.ts';
export { createSecretMask, type SecretMask } from './auth/secret-mask.ts';
export type { HostConnection } from './connection.ts';
export { type CtxOptions, createCtx, createMemoryStore } from './ctx.ts';
export { deliveryOf, isProven } from './deliveries.ts';
export type { Resolve } from './egress/addresses.ts';
export {
  type ConnectProxy,
  type ConnectProxyOptions,
  type ConnectRefusal,
  startConnectProxy,
} from './egress/connect-proxy.ts';
export { createEgressGate, type EgressGate, type EgressOptions } from './egress/egress-gate.ts';
export {
  type EgressProxy,
  type EgressProxyOptions,
  type EgressRefusal,
  startEgressProxy,
} from './egress/egress-proxy.ts';
export { type EgressRules, egressRules, hostAndPort, isAllowed, programRules } from './egress/egress-rules.ts';
export { addressOf, fillTemplate, originsOf, type ServiceAddress, type TemplateValues } from './egress/roots.ts';
export { type FailOptions, failEvent, shouldGiveUp } from './fail-event.ts';
export {
  checkManifestOfStranger,
  type Described,
  ISOLATION_LIMITS,
  type IsolatedPlugin,
  IsolationError,
  type IsolationFailure,
  type IsolationLimits,
  openIsolated,
} from './isolation/index.ts';
export { type HttpLimits, LIMITS } from './limits.ts';
export { createMapper, type MapperOptions, type WorkerMapper } from './mapping/mapper.ts';
export { readLanguages } from './read-languages.ts';
export { type ReadViews, readViews } from './read-views.ts';
export { type Outcome, runStep, type StepOptions } from './run-step.ts';

export { IsolationError, type IsolationFailure } from './isolation-error.ts';
export { ISOLATION_LIMITS, type IsolationLimits } from './isolation-limits.ts';
export { checkManifestOfStranger } from './manifest-of-stranger.ts';
export { type Described, type IsolatedPlugin, type IsolatedSpec, openIsolated } from './open-isolated.ts';

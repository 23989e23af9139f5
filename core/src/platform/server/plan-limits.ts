import type { Db } from './database.ts';

/** What a plan may limit. Later issues add kinds. */
export type LimitedKind = 'repositories' | 'uploads';

/** What a plan allows. Commands ask before they add. */
export interface PlanLimits {
  /** @throws forbidden when `adding` more of `kind` would pass what the client's plan allows. */
  check(db: Db, request: { clientId: string; kind: LimitedKind; adding: number }): Promise<void>;
}

/** Until plans are sold, everything is allowed. */
export const unlimited: PlanLimits = { check: async () => undefined };

import type { Ctx } from './context.ts';
import type { CredentialSchema } from './credentials.ts';
import type { NormalizedFinding } from './finding.ts';

/**
 * What the findings after it belong to: a project, application or release of the service. It becomes an application of the
 * organisation. Findings of a target are its whole present state: those not yielded any more are closed, once the sync has
 * reached the end.
 */
export interface SyncTarget {
  readonly kind: 'target';
  /** Id at the service, kept so that a rename is no new application. */
  readonly id: string;
  readonly name: string;
  /** Address for people, https. */
  readonly url?: string;
}

/** Where to go on after an interruption; handed back as `since`. Everything yielded before it has been kept. */
export interface SyncCursor {
  readonly kind: 'cursor';
  readonly cursor: string;
}

export type SyncRecord = SyncTarget | SyncCursor | NormalizedFinding;

/** Pulls findings from a service. A step may take 60 s; the host resumes by cursor. @throws ConnectorError */
export interface FindingsSource<S extends CredentialSchema = CredentialSchema> {
  sync(ctx: Ctx<S>, since?: string): AsyncIterable<SyncRecord>;
}

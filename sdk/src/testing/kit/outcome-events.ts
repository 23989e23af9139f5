import type { ConnectionEvent, StoredConnection } from '../../connection-machine.ts';
import { failEvent } from '../../host/index.ts';
import type { Operation } from './operations.ts';
import type { Played } from './play.ts';

/** The host's clock in the kit. */
export const NOW = new Date('2026-01-01T00:00:00.000Z');

/** What a run makes happen to its connection, as the host decides it; null where using a connection went well. */
export function eventAfter(
  operation: Operation,
  { outcome }: Pick<Played, 'outcome'>,
  stored: StoredConnection,
): ConnectionEvent | null {
  if (!outcome.ok) return failEvent(outcome.error, { attempts: stored.attempts, now: NOW });
  if (operation.name === 'check') return { type: 'OK' };
  return operation.name === 'findings.sync' ? { type: 'DONE' } : null;
}

/** A run in words: `fails with auth ("The service refused …")`. */
export function describeOutcome({ outcome }: Pick<Played, 'outcome'>): string {
  if (outcome.ok) return 'succeeds';
  if (outcome.crashed) return `crashes with ${outcome.error.cause ?? outcome.error.message}`;
  return `fails with ${outcome.error.code} ("${outcome.error.message}")`;
}

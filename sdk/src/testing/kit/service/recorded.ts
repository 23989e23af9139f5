import type { ConnectionEvent, StoredConnection } from '../../../connection-machine.ts';
import { failEvent } from '../../../host/index.ts';
import type { Exchange } from '../../fixtures.ts';
import type { KitIssue } from '../check.ts';
import type { Operation } from './operations.ts';
import { NOW, type Played, play } from './play.ts';
import type { Subject } from './subject.ts';

/** A run of an operation with nothing wrong. */
export interface Recorded {
  readonly operation: Operation;
  readonly played: Played;
  /** Recorded exchanges that it used, in order. */
  readonly used: readonly Exchange[];
  readonly issues: readonly KitIssue[];
}

/** Plays every operation once against the recorded answers as they are. */
export async function playRecorded(subject: Subject): Promise<Recorded[]> {
  return Promise.all(
    subject.operations.map(async (operation) => {
      const played = await play(subject, operation);
      const used = played.seen.flatMap(({ exchange }) => (exchange === null ? [] : [exchange.recorded]));
      return { operation, played, used: [...new Set(used)], issues: issuesOf(subject, operation, played) };
    }),
  );
}

/** Requests that no recorded exchange answers. */
export function strangerIssues({ connector }: Subject, { name }: Operation, { seen }: Played): KitIssue[] {
  const strangers = seen.filter(({ exchange }) => exchange === null);
  return [...new Set(strangers.map(({ method, address }) => `${method} ${address}`))].map((request) => ({
    what: `${name} asks ${request}, which no recorded exchange answers`,
    where: `${name} with the recorded answers`,
    fix: `Add it to connectors.${connector.id}.exchanges of conformance.json, or correct the path.`,
  }));
}

function issuesOf(subject: Subject, operation: Operation, played: Played): KitIssue[] {
  const { name } = operation;
  const where = `${name} with the recorded answers`;
  const strangers = strangerIssues(subject, operation, played);
  if (strangers.length > 0) return strangers;
  if (!played.outcome.ok) {
    return [
      {
        what: `${name} ${describeOutcome(played)}`,
        where,
        fix: 'The recorded answers are what the service says when all is well: the operation must succeed with them.',
      },
    ];
  }
  if (played.seen.length > 0 || operation.asksNothing) return [];
  return [
    {
      what: `${name} answers without asking the service`,
      where,
      fix: 'Ask something that only valid credentials can get, and answer with what the service says.',
    },
  ];
}

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

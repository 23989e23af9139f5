import type { Exchange } from '../fixtures.ts';
import type { KitIssue } from './check.ts';
import type { Operation } from './operations.ts';
import { describeOutcome } from './outcome-events.ts';
import { type Played, play } from './play.ts';
import type { Subject } from './subject.ts';

/** A run of an operation with nothing wrong. */
export interface Recorded {
  readonly operation: Operation;
  readonly played: Played;
  /** Recorded exchanges that it used, in order. */
  readonly used: readonly Exchange[];
  readonly faults: readonly KitIssue[];
}

/** Plays every operation once against the recorded answers as they are. */
export async function playRecorded(subject: Subject): Promise<Recorded[]> {
  return Promise.all(
    subject.operations.map(async (operation) => {
      const played = await play(subject, operation);
      const used = played.seen.flatMap(({ exchange }) => (exchange === null ? [] : [exchange.recorded]));
      return { operation, played, used: [...new Set(used)], faults: faultsOf(subject, operation, played) };
    }),
  );
}

function faultsOf({ connector }: Subject, { name }: Operation, played: Played): KitIssue[] {
  const where = `${name} with the recorded answers`;
  const place = `connectors.${connector.id}.exchanges of conformance.json`;
  const strangers = played.seen.filter(({ exchange }) => exchange === null);
  if (strangers.length > 0) {
    return [...new Set(strangers.map(({ method, address }) => `${method} ${address}`))].map((request) => ({
      what: `${name} asks ${request}, which no recorded exchange answers`,
      where,
      fix: `Add it to ${place}, or correct the path.`,
    }));
  }
  if (!played.outcome.ok) {
    return [
      {
        what: `${name} ${describeOutcome(played)}`,
        where,
        fix: 'The recorded answers are what the service says when all is well: the operation must succeed with them.',
      },
    ];
  }
  if (played.seen.length > 0) return [];
  return [
    {
      what: `${name} answers without asking the service`,
      where,
      fix: 'Ask something that only valid credentials can get, and answer with what the service says.',
    },
  ];
}

import type { Exchange, Situation } from '../../../fixtures.ts';
import { condense, type KitCheck, type KitIssue, notApplicable } from '../../check.ts';
import { differences } from '../../service/placeholders.ts';
import { play } from '../../service/play.ts';
import { describeOutcome, type Recorded } from '../../service/recorded.ts';
import { inSituation, type Subject } from '../../service/subject.ts';
import { resultOf } from '../results.ts';

const NAME = 'lost answers';

/** A write that was recorded, and the situation in which the service has what its key made. */
interface Write {
  readonly first: Recorded;
  readonly situation: Situation;
  /** The request that made it. */
  readonly making: Exchange;
}

/**
 * A write whose answer got lost is done again: the service did what it was asked, and the connection broke before it said so. What the
 * connection remembers is that of the run which broke, so that a connector cannot rely on what it stores afterwards.
 */
export async function checkLostAnswers(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const writes = recordedWrites(subject, recorded);
  if (writes.length === 0 && subject.code.scm?.write === undefined) {
    return notApplicable(NAME, 'no write with its repetition was recorded');
  }
  if (writes.length === 0) return { tier: 'gold', name: NAME, tried: 0, issues: [unrecorded(subject)] };
  const issues = await Promise.all(writes.map((write) => issuesOf(subject, write)));
  return { tier: 'gold', name: NAME, tried: writes.length, issues: condense(issues.flat()) };
}

function unrecorded({ connector }: Subject): KitIssue {
  return {
    what: 'it offers writes, and none was recorded with its repetition',
    where: `connectors.${connector.id} of conformance.json`,
    fix: 'Call them in "calls.scm.write", each with a situation "isRepeated".',
  };
}

function recordedWrites({ fixture }: Subject, recorded: readonly Recorded[]): Write[] {
  const ofCheck = recorded.find(({ operation }) => operation.name === 'check')?.used ?? [];
  return (fixture.situations ?? []).flatMap((situation): Write[] => {
    const first = recorded.find(({ operation }) => operation.name === situation.during);
    // a request before the last one makes a part, and the situation is that of the whole
    const making = first?.used.filter((exchange) => isMaking(exchange) && !ofCheck.includes(exchange)).at(-1);
    if (situation.isRepeated !== true || first === undefined || making === undefined) return [];
    return first.played.outcome.ok ? [{ first, situation, making }] : [];
  });
}

const isMaking = ({ request, answer }: Exchange): boolean =>
  (request.method ?? 'GET') !== 'GET' && (answer.status ?? 200) < 300;

async function issuesOf(subject: Subject, { first, situation, making }: Write): Promise<KitIssue[]> {
  const { operation } = first;
  const where = `${operation.name}, where the answer to ${making.request.method} ${making.request.path} is lost`;
  const lost = await play(subject, operation, { fault: { kind: 'reset connection', at: making } });
  if (lost.outcome.ok) {
    const what = `${operation.name} succeeds although the service never said that it was done`;
    return [{ what, where, fix: 'Let the error out: the host tries again with the same key.' }];
  }
  const again = await play(inSituation(subject, situation), operation, { remembered: lost.remembered });
  const fix =
    'Look for what the key has made at the service before you make it: withKeyMark and hasKeyMark, withKeyTrailer and hasKeyTrailer.';
  if (!again.outcome.ok)
    return [{ what: `${operation.name} ${describeOutcome(again)} when it is tried again`, where, fix }];
  const twice = again.seen.some(({ exchange }) => exchange?.recorded === making);
  const [one, other] = [first.played, again].map((run) =>
    run.outcome.ok ? resultOf(run.outcome.value, run) : undefined,
  );
  return [
    ...(twice ? [{ what: `${operation.name} makes it a second time when it is tried again`, where, fix }] : []),
    ...differences(one, other, 1).map((difference) => ({
      what: `${operation.name} answers otherwise when it is tried again: ${difference}`,
      where,
      fix,
    })),
  ];
}

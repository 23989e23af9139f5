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
  /** The requests that made it, the last of which made the whole. */
  readonly making: readonly Exchange[];
}

/**
 * A write whose answer got lost is done again: the service did what it was asked, and the connection broke before it said so. What the
 * connection remembers is that of the run which broke, so that a connector cannot rely on what it stores afterwards.
 */
export async function checkLostAnswers(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const writes = recordedWrites(subject, recorded);
  const { scm, tickets } = subject.code;
  if (writes.length === 0 && scm?.write === undefined && tickets?.tracking === undefined) {
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
    fix: 'Call them in "calls.scm.write" or "calls.tickets.write", each with a situation "isRepeated".',
  };
}

function recordedWrites({ fixture }: Subject, recorded: readonly Recorded[]): Write[] {
  const ofCheck = recorded.find(({ operation }) => operation.name === 'check')?.used ?? [];
  return (fixture.situations ?? []).flatMap((situation): Write[] => {
    const first = recorded.find(({ operation }) => operation.name === situation.during);
    const making = (first?.used ?? []).filter((exchange) => isMaking(exchange) && !ofCheck.includes(exchange));
    if (situation.isRepeated !== true || first === undefined || making.length === 0) return [];
    return first.played.outcome.ok ? [{ first, situation, making }] : [];
  });
}

const isMaking = ({ request, answer }: Exchange): boolean =>
  (request.method ?? 'GET') !== 'GET' && (answer.status ?? 200) < 300;

const LOOK =
  'Look for what the key has made at the service before you make it: withKeyMark and hasKeyMark, withKeyTrailer and hasKeyTrailer.';

/** The answer to each request that makes something is lost in turn. */
async function issuesOf(subject: Subject, { first, situation, making }: Write): Promise<KitIssue[]> {
  const whole = making.at(-1);
  const runs = making.map((lost) => {
    // before the last one only a part was made: the service still shows nothing of the whole
    const there = lost === whole ? inSituation(subject, situation) : subject;
    return issuesAfter(subject, first, { lost, there, isWhole: lost === whole });
  });
  return (await Promise.all(runs)).flat();
}

interface Loss {
  readonly lost: Exchange;
  /** The service as it is when the write is tried again. */
  readonly there: Subject;
  readonly isWhole: boolean;
}

async function issuesAfter(subject: Subject, first: Recorded, { lost, there, isWhole }: Loss): Promise<KitIssue[]> {
  const { operation } = first;
  const where = `${operation.name}, where the answer to ${lost.request.method} ${lost.request.path} is lost`;
  const broken = await play(subject, operation, { fault: { kind: 'reset connection', at: lost } });
  if (broken.outcome.ok) {
    const what = `${operation.name} succeeds although the service never said that it was done`;
    return [{ what, where, fix: 'Let the error out: the host tries again with the same key.' }];
  }
  const again = await play(there, operation, { remembered: broken.remembered });
  const fix = isWhole ? LOOK : 'Begin again where only a part was made; what was stored must not stand for the whole.';
  if (!again.outcome.ok) {
    return [{ what: `${operation.name} ${describeOutcome(again)} when it is tried again`, where, fix }];
  }
  const isTwice = isWhole && again.seen.some(({ exchange }) => exchange?.recorded === lost);
  const [one, other] = [first.played, again].map((run) =>
    run.outcome.ok ? resultOf(run.outcome.value, run) : undefined,
  );
  return [
    ...(isTwice ? [{ what: `${operation.name} makes it a second time when it is tried again`, where, fix }] : []),
    ...differences(one, other, 1).map((difference) => ({
      what: `${operation.name} answers otherwise when it is tried again: ${difference}`,
      where,
      fix,
    })),
  ];
}

import { condense, type KitCheck, type KitIssue, notApplicable } from '../../check.ts';
import { NOW, type Played, play } from '../../service/play.ts';
import { describeOutcome, type Recorded } from '../../service/recorded.ts';
import type { Subject } from '../../service/subject.ts';
import { LISTS } from '../paging.ts';
import { resultOf } from '../results.ts';
import { without } from './without.ts';

const NAME = 'identities';
const DAY_MS = 24 * 60 * 60 * 1000;
const NEXT_DAY = new Date(NOW.getTime() + DAY_MS);
/** What makes a finding the same in the next sync; dates, words and severities may change. */
const OF_FINDING = ['type', 'ruleId', 'fingerprint', 'secretHash', 'resource', 'component', 'locations'];
/** What makes anything else the same: the first of these that it has. */
const OF_OTHERS = ['id', 'key', 'name'];

/** A second run of every list, a day later and with what the connection remembers of the first, gives the same identities. */
export async function checkIdentities(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const lists = recorded.filter(({ operation }) => LISTS.includes(operation.name));
  const known = lists.filter(({ played }) => identitiesOf(played).length > 0);
  if (known.length === 0) return notApplicable(NAME, 'it lists nothing that has an identity');
  const issues = await Promise.all(known.map((list) => issuesOf(subject, list)));
  return { tier: 'gold', name: NAME, tried: known.length, issues: condense(issues.flat()) };
}

async function issuesOf(subject: Subject, { operation, played }: Recorded): Promise<KitIssue[]> {
  const where = `${operation.name} with the recorded answers, a second time`;
  const fix =
    'Take ids from what the service says, not from a clock, a counter or ctx.store; every run lists everything.';
  const again = await playAgain(subject, { operation, played });
  if (!again.outcome.ok) return [{ what: `${operation.name} ${describeOutcome(again)} the second time`, where, fix }];
  const [before, after] = [identitiesOf(played), identitiesOf(again)];
  const gone = without(before, after);
  const come = without(after, before);
  if (gone.length === 0 && come.length === 0) return [];
  const example = gone[0] ?? come[0];
  const what = `${operation.name} does not give the same identities twice: ${gone.length} of ${before.length} are gone, ${come.length} are new, the first is ${example}`;
  return [{ what, where, fix }];
}

/** What is asked may depend on the day, which the recorded answers then do not fit: it is played again on the same day. */
async function playAgain(
  subject: Subject,
  { operation, played }: Pick<Recorded, 'operation' | 'played'>,
): Promise<Played> {
  const { remembered } = played;
  const later = await play(subject, operation, { remembered, now: NEXT_DAY });
  const isKnown = later.seen.every(({ exchange }) => exchange !== null);
  return later.outcome.ok && isKnown ? later : play(subject, operation, { remembered });
}

/** Of each record of a list, in one text each. */
function identitiesOf(played: Played): string[] {
  const result = played.outcome.ok ? resultOf(played.outcome.value, played) : [];
  if (!Array.isArray(result)) return [];
  return result.flatMap((record) => {
    if (typeof record !== 'object' || record === null || Array.isArray(record)) return [];
    const names = record['kind'] === 'finding' ? OF_FINDING : OF_OTHERS.filter((name) => name in record).slice(0, 1);
    const facts = names.map((name) => record[name] ?? null);
    return facts.length === 0 ? [] : [JSON.stringify([record['kind'] ?? 'record', ...facts])];
  });
}

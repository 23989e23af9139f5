import { findingIssues } from '../../../findings/finding-schema.ts';
import type { KitIssue } from '../check.ts';
import { syncFrom } from '../service/operations.ts';
import { differences } from '../service/placeholders.ts';
import { play } from '../service/play.ts';
import { describeOutcome, type Recorded, strangerIssues } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';
import { requestIssues, resultOf } from './results.ts';

/** Cursors that are gone on from: more are of the same kind. */
const CURSORS_TRIED = 4;

const FIRST_TARGET = 'Yield { kind: "target", … } first.';

/** What a whole sync yields can be imported, and going on from each of its cursors yields what comes after it. */
export async function syncIssues(subject: Subject, recorded: Recorded): Promise<KitIssue[]> {
  const { outcome } = recorded.played;
  if (!outcome.ok || !Array.isArray(outcome.value)) return [];
  const records: unknown[] = outcome.value;
  return [...recordIssues(records), ...(await resumeIssues(subject, recorded, records))];
}

function recordIssues(records: readonly unknown[]): KitIssue[] {
  const where = 'findings.sync with the recorded answers';
  const findings = records.filter((record) => kindOf(record) === 'finding');
  const firstFinding = records.findIndex((record) => kindOf(record) === 'finding');
  const firstTarget = records.findIndex((record) => kindOf(record) === 'target');
  const isEarly = firstFinding >= 0 && (firstTarget < 0 || firstTarget > firstFinding);
  return [
    ...findings.flatMap((finding, index) =>
      findingIssues(finding).map((issue) => ({
        what: `a finding cannot be imported: ${issue}`,
        where: `${where}, finding ${index + 1}`,
        fix: 'Correct what sync yields.',
      })),
    ),
    ...(isEarly ? [{ what: 'findings come before the target they belong to', where, fix: FIRST_TARGET }] : []),
  ];
}

/** An interrupted sync goes on at a cursor: nothing before it is yielded again, nothing after it is left out. */
async function resumeIssues(subject: Subject, recorded: Recorded, records: readonly unknown[]): Promise<KitIssue[]> {
  const cursors = records.flatMap((record, at) =>
    kindOf(record) === 'cursor' ? [{ cursor: cursorOf(record), at }] : [],
  );
  const tried =
    cursors.length <= CURSORS_TRIED ? cursors : [...cursors.slice(0, CURSORS_TRIED - 1), ...cursors.slice(-1)];
  const found = await Promise.all(
    tried.map(async ({ cursor, at }): Promise<KitIssue[]> => {
      const operation = syncFrom(subject.code, cursor);
      if (operation === undefined) return [];
      const played = await play(subject, operation);
      const again: Recorded = { operation, played, used: [], issues: [] };
      const strangers = [...strangerIssues(subject, operation, played), ...requestIssues(subject, again)];
      if (strangers.length > 0) return strangers;
      const where = `${operation.name}, cursor ${at + 1} of what a whole sync yields`;
      if (!played.outcome.ok) {
        const what = `${operation.name} ${describeOutcome(played)}`;
        return [{ what, where, fix: 'Go on after the place that the cursor names.' }];
      }
      const rest = resultOf(records.slice(at + 1), recorded.played);
      const actual = withoutKnownTarget(resultOf(played.outcome.value, played), { records, at });
      return differences(rest, actual, 1).map((difference) => ({
        what: `a sync that goes on at a cursor does not yield what comes after it: ${difference}`,
        where,
        fix: 'Yield a cursor after the records that it stands for, and begin behind the place that "since" names.',
      }));
    }),
  );
  return found.flat();
}

/** In the middle of a target, a sync that goes on may say again which one it is. */
function withoutKnownTarget(actual: unknown, { records, at }: { records: readonly unknown[]; at: number }): unknown {
  if (!Array.isArray(actual) || kindOf(actual[0]) !== 'target') return actual;
  const current = records.slice(0, at).findLast((record) => kindOf(record) === 'target');
  const isInside = kindOf(records[at + 1]) !== 'target';
  const isSame = current !== undefined && differences(JSON.parse(JSON.stringify(current)), actual[0]).length === 0;
  return isInside && isSame ? actual.slice(1) : actual;
}

function kindOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, 'kind') : undefined;
}

function cursorOf(record: unknown): string {
  return typeof record === 'object' && record !== null ? String(Reflect.get(record, 'cursor')) : '';
}

import type { Exchange, Situation } from '../../fixtures.ts';
import type { KitIssue } from '../check.ts';
import { type Operation, settingOperations } from '../service/operations.ts';
import { differences } from '../service/placeholders.ts';
import { type Played, play } from '../service/play.ts';
import type { Recorded } from '../service/recorded.ts';
import { inSituation, type Subject } from '../service/subject.ts';
import { resultOf } from './results.ts';
import type { PlayedSituation } from './situations.ts';

/** A setting was set with the service as it was recorded, or in a situation. */
interface SetRun {
  readonly recorded: Recorded;
  readonly place: string;
  /** Undefined: as recorded. */
  readonly situation?: Situation;
}

/** What is shown is what is done: `plan` writes nothing, `set` changes what `plan` shows, and where all is right it writes nothing either. */
export async function settingIssues(
  subject: Subject,
  recorded: readonly Recorded[],
  situations: readonly PlayedSituation[],
): Promise<KitIssue[]> {
  const asked = subject.fixture.calls?.scm?.settings ?? [];
  const found = asked.map(async (check) => {
    const { plan, set } = settingOperations(check);
    const planned = subject.operations.find(({ name }) => name === plan);
    const runs = runsOf(subject, set, recorded, situations);
    if (planned === undefined || runs.length === 0) return [];
    const issues = await Promise.all(runs.map((run) => issuesOf(subject, planned, run)));
    return [...issues.flat(), ...unshown(subject, set, runs)];
  });
  return (await Promise.all(found)).flat();
}

function runsOf(
  { connector }: Subject,
  name: string,
  recorded: readonly Recorded[],
  situations: readonly PlayedSituation[],
): SetRun[] {
  const isIt = ({ operation, played }: Recorded): boolean => operation.name === name && played.outcome.ok;
  return [
    ...recorded.filter(isIt).map((one) => ({ recorded: one, place: `connectors.${connector.id}.exchanges` })),
    ...situations.filter((one) => isIt(one.recorded)),
  ];
}

/** GraphQL asks by POST, too. */
function isWriting({ request: { method = 'GET', body } }: Exchange): boolean {
  if (method === 'GET' || method === 'HEAD') return false;
  const query: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'query') : undefined;
  return !(typeof query === 'string' && !query.trimStart().startsWith('mutation'));
}

const writesOf = ({ seen }: Played): string[] =>
  seen.flatMap(({ exchange }) => {
    const request = exchange?.recorded;
    return request === undefined || !isWriting(request) ? [] : [`${request.request.method} ${request.request.path}`];
  });

const changesOf = ({ played }: Recorded): readonly unknown[] =>
  played.outcome.ok && Array.isArray(played.outcome.value) ? played.outcome.value : [];

async function issuesOf(
  subject: Subject,
  plan: Operation,
  { recorded, place, situation }: SetRun,
): Promise<KitIssue[]> {
  const there = situation === undefined ? subject : inSituation(subject, situation);
  const shown = await play(there, plan);
  const set = recorded.operation.name;
  const [changes, writes] = [changesOf(recorded), writesOf(recorded.played)];
  const fix = 'Let both come from one place: settingsBy(checks, prepare).';
  if (!shown.outcome.ok) {
    return [{ what: `${plan.name} does not succeed where ${set} does`, where: place, fix }];
  }
  const done = resultOf(recorded.played.outcome.ok ? recorded.played.outcome.value : null, recorded.played);
  return [
    ...writesOf(shown).map((request) => ({
      what: `${plan.name} sends ${request}: what is only shown is done`,
      where: place,
      fix: 'Write in set alone.',
    })),
    ...differences(resultOf(shown.outcome.value, shown), done, 1).map((difference) => ({
      what: `${set} says that it did something else than ${plan.name} shows: ${difference}`,
      where: place,
      fix,
    })),
    ...(changes.length > 0 && writes.length === 0
      ? [
          {
            what: `${set} says that it changed something, and sends nothing`,
            where: place,
            fix: 'Send what changes it.',
          },
        ]
      : []),
    ...(changes.length === 0
      ? writes.map((request) => ({
          what: `${set} sends ${request} although it has nothing to change`,
          where: place,
          fix: 'What is right already stays as it is.',
        }))
      : []),
  ];
}

/** Both must be recorded: the setting that is wrong, and the one that is right already. */
function unshown({ connector }: Subject, set: string, runs: readonly SetRun[]): KitIssue[] {
  const where = `connectors.${connector.id}.situations of conformance.json`;
  const [changing, right] = [true, false].map((isWrong) =>
    runs.some(({ recorded }) => changesOf(recorded).length > 0 === isWrong),
  );
  return [
    ...(changing
      ? []
      : [
          {
            what: `nothing shows what ${set} sends`,
            where,
            fix: `Add a situation with "during": "${set}" in which the setting is wrong.`,
          },
        ]),
    ...(right
      ? []
      : [
          {
            what: `nothing shows that ${set} leaves alone what is right already`,
            where,
            fix: `Add a situation with "during": "${set}" in which the setting is right.`,
          },
        ]),
  ];
}

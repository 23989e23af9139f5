import { isDeepStrictEqual } from 'node:util';
import type { Exchange, Situation } from '../../fixtures.ts';
import type { KitIssue } from '../check.ts';
import { differences } from '../service/placeholders.ts';
import { play } from '../service/play.ts';
import { describeOutcome, type Recorded, strangerIssues } from '../service/recorded.ts';
import { inSituation, type Subject } from '../service/subject.ts';
import { requestIssues, resultOf, UPDATE } from './results.ts';

/** A situation of the fixture, played. */
export interface PlayedSituation {
  readonly situation: Situation;
  readonly place: string;
  readonly recorded: Recorded;
}

/** Plays every situation whose operation the connector has. */
export async function playSituations(subject: Subject): Promise<PlayedSituation[]> {
  const played = (subject.fixture.situations ?? []).map(async (situation, index) => {
    const operation = subject.operations.find(({ name }) => name === situation.during);
    if (operation === undefined) return [];
    const there = inSituation(subject, situation);
    const run = await play(there, operation);
    const used = [...new Set(run.seen.flatMap(({ exchange }) => (exchange === null ? [] : [exchange.recorded])))];
    const recorded: Recorded = { operation, played: run, used, issues: strangerIssues(there, operation, run) };
    const place = `connectors.${subject.connector.id}.situations.${index} ("${situation.name}")`;
    return [{ situation, place, recorded }];
  });
  return (await Promise.all(played)).flat();
}

/** In every situation the operation asks exactly what is recorded there, and answers what is expected; what is written is written once. */
export function situationIssues(
  subject: Subject,
  recorded: readonly Recorded[],
  played: readonly PlayedSituation[],
): KitIssue[] {
  return [
    ...unknownOperations(subject),
    ...played.flatMap((one) => issuesOf(subject, recorded, one)),
    ...unrepeatedWrites(subject, recorded),
  ];
}

function unknownOperations({ connector, fixture, operations }: Subject): KitIssue[] {
  const known = operations.map(({ name }) => name);
  return (fixture.situations ?? []).flatMap(({ name, during }, index) =>
    known.includes(during)
      ? []
      : [
          {
            what: `the connector has no operation "${during}"`,
            where: `connectors.${connector.id}.situations.${index} ("${name}")`,
            fix: `Name one of ${known.join(', ')}.`,
          },
        ],
  );
}

function issuesOf(
  subject: Subject,
  all: readonly Recorded[],
  { situation, place, recorded }: PlayedSituation,
): KitIssue[] {
  const { operation, played, used } = recorded;
  const at = (issue: KitIssue): KitIssue => ({ ...issue, where: place });
  const asked = [...recorded.issues, ...requestIssues(subject, recorded)].map(at);
  if (asked.length > 0) return asked;
  if (!played.outcome.ok) {
    const what = `${operation.name} ${describeOutcome(played)} in the situation "${situation.name}"`;
    return [{ what, where: place, fix: 'A situation is nothing wrong: what must fail stands in "wrong".' }];
  }
  const actual = resultOf(played.outcome.value, played);
  const found = situation.expect === undefined ? null : differences(situation.expect, actual);
  return [
    ...(found ?? ['nothing says what']).map((difference) => ({
      what: `${operation.name} answers otherwise than expected in the situation "${situation.name}": ${difference}`,
      where: place,
      fix: `Correct the code. ${UPDATE}`,
    })),
    ...situation.exchanges.filter((exchange) => !used.includes(exchange)).map((exchange) => unasked(exchange, place)),
    ...(situation.isRepeated ? repetitionIssues(all, { situation, place, recorded }) : []),
  ];
}

function unasked({ request }: Exchange, where: string): KitIssue {
  return {
    what: `nothing asks ${request.method ?? 'GET'} ${request.path} of the situation`,
    where,
    fix: 'Ask for it, or remove it.',
  };
}

/** The key has made something already: it is answered as the first time, and nothing that made it is sent again. */
function repetitionIssues(all: readonly Recorded[], { situation, place, recorded }: PlayedSituation): KitIssue[] {
  const { name } = recorded.operation;
  const first = all.find(({ operation }) => operation.name === name);
  const fix =
    'Look for what the key has made before you make it: withKeyMark and hasKeyMark, withKeyTrailer and hasKeyTrailer.';
  const ofCheck = all.find(({ operation }) => operation.name === 'check')?.used ?? [];
  const again = recorded.used.filter(
    (exchange) => isMaking(exchange) && !ofCheck.includes(exchange) && !isOwn(exchange, situation, first),
  );
  const [one, other] = [first, recorded].map((run) =>
    run?.played.outcome.ok ? resultOf(run.played.outcome.value, run.played) : undefined,
  );
  return [
    ...again.map(({ request }) => ({
      what: `${name} sends POST ${request.path} although the service has what the key made`,
      where: place,
      fix,
    })),
    ...differences(one, other, 1).map((difference) => ({
      what: `${name} answers otherwise when it is repeated: ${difference}`,
      where: place,
      fix,
    })),
  ];
}

const isMaking = ({ request, answer }: Exchange): boolean => request.method === 'POST' && (answer.status ?? 200) < 300;

/** What a situation answers for itself, and otherwise than at first, is a question: GraphQL asks by POST. */
function isOwn(exchange: Exchange, { exchanges }: Situation, first: Recorded | undefined): boolean {
  return exchanges.includes(exchange) && !first?.used.some((one) => isDeepStrictEqual(one, exchange));
}

function unrepeatedWrites({ connector, fixture }: Subject, recorded: readonly Recorded[]): KitIssue[] {
  const repeated = (fixture.situations ?? []).filter(({ isRepeated }) => isRepeated).map(({ during }) => during);
  return recorded.flatMap(({ operation: { name, isWrite } }) =>
    !isWrite || repeated.includes(name)
      ? []
      : [
          {
            what: `nothing shows that ${name} with the same key has one effect`,
            where: `connectors.${connector.id}.situations of conformance.json`,
            fix: `Add a situation with "during": "${name}", "isRepeated": true and what the service says once the key has made something.`,
          },
        ],
  );
}

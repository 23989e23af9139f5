import { condense, type KitCheck, type KitIssue } from '../check.ts';
import { type Played, play } from '../service/play.ts';
import type { Recorded } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';
import type { FaultRun } from './fault-matrix.ts';

interface Run {
  readonly where: string;
  readonly played: Played;
}

const runsOf = (recorded: readonly Recorded[], faults: readonly FaultRun[]): Run[] => [
  ...recorded.map(({ operation, played }) => ({ where: `${operation.name} with the recorded answers`, played })),
  ...faults.map(({ operation, kind, at, played }) => ({
    where: `${operation.name}, ${kind} at ${at.request.method ?? 'GET'} ${at.request.path}`,
    played,
  })),
];

/** Whether a secret came out anywhere, in everything that was run. */
export function checkSecrets(recorded: readonly Recorded[], faults: readonly FaultRun[]): KitCheck {
  const runs = runsOf(recorded, faults);
  const found = runs.flatMap(({ where, played }) =>
    played.leaks.map(
      (leak): KitIssue => ({
        what: `a secret comes out in the ${leak}`,
        where,
        fix: leak.startsWith('error')
          ? 'Do not put answers or causes that may repeat a secret into a message: say in your own words what is wrong.'
          : 'Secrets belong into auth and nowhere else.',
      }),
    ),
  );
  return { tier: 'silver', name: 'secrets', tried: runs.length, issues: condense(found) };
}

/** Whether it went anywhere but through `ctx.http`. */
export function checkEgress(recorded: readonly Recorded[], faults: readonly FaultRun[]): KitCheck {
  const runs = runsOf(recorded, faults);
  const found = runs.flatMap(({ where, played }) =>
    played.outside.map(
      (attempt): KitIssue => ({
        what: `${attempt}, which its manifest does not declare`,
        where,
        fix: 'Use ctx.http, and name the service in baseUrl or services and its host in permissions.egress.',
      }),
    ),
  );
  return { tier: 'silver', name: 'egress', tried: runs.length, issues: condense(found) };
}

/** Whether work ends within a second after it was aborted: before an answer, in the middle of one, and at each deadline. */
export async function checkAbort(
  subject: Subject,
  recorded: readonly Recorded[],
  faults: readonly FaultRun[],
): Promise<KitCheck> {
  const situations = [
    ...recorded.flatMap(({ operation, used: [at] }) =>
      at === undefined ? [] : (['no answer', 'slow body'] as const).map((kind) => ({ operation, kind, at })),
    ),
    ...faults.filter(({ played }) => !played.hasStopped),
  ];
  const found = await Promise.all(
    situations.map(async ({ operation, kind, at }): Promise<KitIssue[]> => {
      const stops = async () => (await play(subject, operation, { fault: { kind, at }, isAborted: true })).hasStopped;
      // A second chance, because a busy machine is no fault of the connector.
      if ((await stops()) || (await stops())) return [];
      return [
        {
          what: `${operation.name} is still at work a second after ctx.signal was aborted`,
          where: `${operation.name}, ${kind} at ${at.request.method ?? 'GET'} ${at.request.path}`,
          fix: 'Do not catch the error of an aborted request, and give ctx.signal to everything that waits.',
        },
      ];
    }),
  );
  return { tier: 'silver', name: 'abort', tried: situations.length, issues: condense(found.flat()) };
}

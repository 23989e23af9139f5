import { condense, type KitCheck, type KitIssue } from '../check.ts';
import { missingCalls } from '../service/operations.ts';
import type { Recorded } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';
import { nameIssues } from './names.ts';
import { requestIssues, resultIssues, strangeExpectations } from './results.ts';
import { syncIssues } from './sync.ts';

/** Every operation asks exactly what was recorded, answers what is expected, and nothing of the record is left over. */
export async function checkCapabilities(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const others = recorded.filter(({ operation }) => operation.name !== 'check');
  const syncs = others.filter(({ operation }) => operation.name === 'findings.sync');
  const issues = [
    ...missingCalls(subject.connector, subject.code, subject.fixture.calls).map((what) => ({
      what,
      where: 'conformance.json',
      fix: 'Without it the kit cannot call what the connector offers.',
    })),
    ...others.flatMap((one) => one.issues),
    ...recorded.flatMap((one) => [...requestIssues(subject, one), ...pageIssues(one)]),
    ...others.flatMap((one) => resultIssues(subject, one)),
    ...strangeExpectations(subject),
    ...(await Promise.all(syncs.map((one) => syncIssues(subject, one)))).flat(),
    ...(await nameIssues(subject, recorded)),
    ...leftOver(subject, recorded),
  ];
  return { tier: 'silver', name: 'capabilities', tried: others.length, issues: condense(issues) };
}

/** Where a list comes in pages, a second one shows that they are read. */
function pageIssues({ operation, played }: Recorded): KitIssue[] {
  if (played.pages.length === 0 || played.pages.some((count) => count > 1)) return [];
  return [
    {
      what: `${operation.name} reads pages, but a second one is never recorded`,
      where: `${operation.name} with the recorded answers`,
      fix: 'Record an answer that names a next page, and that page.',
    },
  ];
}

function leftOver({ connector, fixture }: Subject, recorded: readonly Recorded[]): KitIssue[] {
  // what an operation that failed would have asked next is not known
  if (recorded.some(({ issues }) => issues.length > 0)) return [];
  const asked = new Set(recorded.flatMap(({ used }) => used));
  return (fixture.exchanges ?? [])
    .filter((exchange) => !asked.has(exchange))
    .map(({ request }) => ({
      what: `nothing asks the recorded ${request.method ?? 'GET'} ${request.path}`,
      where: `connectors.${connector.id}.exchanges of conformance.json`,
      fix: 'Ask for it, or remove it: a request that is missing is how a lost page or a forgotten call looks.',
    }));
}

import { OWN_ROUTE_PATH } from '../../../capability-contracts.ts';
import { condense, type KitCheck, type KitIssue } from '../check.ts';
import { missingCalls, uncalled } from '../service/operations.ts';
import type { Recorded } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';
import { addressIssues, fieldIssues } from './fields.ts';
import { nameIssues } from './names.ts';
import { pageIssues } from './paging.ts';
import { pieceIssues } from './pieces.ts';
import { requestIssues, resultIssues, strangeExpectations } from './results.ts';
import { settingIssues } from './settings.ts';
import { playSituations, situationIssues } from './situations.ts';
import { syncIssues } from './sync.ts';

/** Every operation asks exactly what was recorded, answers what is expected, and nothing of the record is left over. */
export async function checkCapabilities(subject: Subject, recorded: readonly Recorded[]): Promise<KitCheck> {
  const others = recorded.filter(({ operation }) => operation.name !== 'check');
  const syncs = others.filter(({ operation }) => operation.name === 'findings.sync');
  const situations = await playSituations(subject);
  const issues = [
    ...missingCalls(subject.connector, subject.code, subject.fixture.calls).map((what) => ({
      what,
      where: 'conformance.json',
      fix: 'Without it the kit cannot call what the connector offers.',
    })),
    ...routePathIssues(subject),
    ...others.flatMap((one) => one.issues),
    ...recorded.flatMap((one) => requestIssues(subject, one)),
    ...others.flatMap((one) => resultIssues(subject, one)),
    ...situationIssues(subject, recorded, situations),
    ...(await settingIssues(subject, recorded, situations)),
    ...pageIssues(recorded, situations),
    ...addressIssues(subject),
    ...fieldIssues(subject, recorded, situations),
    ...strangeExpectations(subject),
    ...(await Promise.all(syncs.map((one) => syncIssues(subject, one)))).flat(),
    ...(await nameIssues(subject, recorded)),
    ...(await pieceIssues(subject, recorded)),
    ...leftOver(subject, recorded),
  ];
  const notes = uncalled(subject.code, subject.fixture.calls);
  return {
    tier: 'silver',
    name: 'capabilities',
    tried: others.length + situations.length,
    issues: condense(issues),
    notes,
  };
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

function routePathIssues({ connector, code: { routes = [] } }: Subject): KitIssue[] {
  return routes
    .filter(({ path }) => !OWN_ROUTE_PATH.test(path))
    .map(({ path }) => ({
      what: `"${path}" is no path of an own route, so no host reaches it`,
      where: `${connector.id}, routes`,
      fix: 'Give it one or two segments in lower case: /projects, /projects/open.',
    }));
}

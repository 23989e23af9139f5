import { findingIssues } from '../../../findings/finding-schema.ts';
import { condense, type KitCheck, type KitIssue } from '../check.ts';
import { missingCalls } from '../service/operations.ts';
import type { Recorded } from '../service/recorded.ts';
import type { Subject } from '../service/subject.ts';

/** Everything besides `check` does its work with the recorded answers. */
export function checkCapabilities(subject: Subject, recorded: readonly Recorded[]): KitCheck {
  const others = recorded.filter(({ operation }) => operation.name !== 'check');
  const issues = [
    ...missingCalls(subject.connector, subject.code, subject.fixture.calls).map((what) => ({
      what,
      where: 'conformance.json',
      fix: 'Without it the kit cannot call what the connector offers.',
    })),
    ...others.flatMap((one) => one.issues),
    ...others.flatMap((one) => (one.operation.name === 'findings.sync' ? syncIssues(subject, one) : [])),
  ];
  const asked = new Set(recorded.flatMap(({ used }) => used));
  const unused = (subject.fixture.exchanges ?? []).filter((exchange) => !asked.has(exchange));
  return {
    tier: 'silver',
    name: 'capabilities',
    tried: others.length,
    issues: condense(issues),
    notes: unused.map(({ request }) => `nothing asks the recorded ${request.method ?? 'GET'} ${request.path}`),
  };
}

function syncIssues({ connector, fixture }: Subject, { played: { outcome } }: Recorded): KitIssue[] {
  if (!outcome.ok || !Array.isArray(outcome.value)) return [];
  const records: unknown[] = outcome.value;
  const where = 'findings.sync with the recorded answers';
  const findings = records.filter((record) => kindOf(record) === 'finding');
  const expected = fixture.expect?.findings;
  const firstOther = records.findIndex((record) => kindOf(record) === 'finding');
  const firstTarget = records.findIndex((record) => kindOf(record) === 'target');
  return [
    ...findings.flatMap((finding, index) =>
      findingIssues(finding).map((issue) => ({
        what: `a finding cannot be imported: ${issue}`,
        where: `${where}, finding ${index + 1}`,
        fix: 'Correct what sync yields.',
      })),
    ),
    ...(expected !== undefined && expected !== findings.length
      ? [
          {
            what: `findings.sync gives ${findings.length} findings instead of ${expected}`,
            where: `connectors.${connector.id}.expect.findings of conformance.json`,
            fix: 'Read every page, or correct the expectation.',
          },
        ]
      : []),
    ...(firstOther >= 0 && (firstTarget < 0 || firstTarget > firstOther)
      ? [{ what: 'findings come before the target they belong to', where, fix: 'Yield { kind: "target", … } first.' }]
      : []),
  ];
}

function kindOf(record: unknown): unknown {
  return typeof record === 'object' && record !== null ? Reflect.get(record, 'kind') : undefined;
}

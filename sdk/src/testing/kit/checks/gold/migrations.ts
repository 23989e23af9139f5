import type { CredentialMigration } from '../../../../capability-contracts.ts';
import { secretKeys } from '../../../../credentials.ts';
import { runStep } from '../../../../host/index.ts';
import { runMigrationStep, type StoredNames } from '../../../../migration-step.ts';
import type { RecordedMigration } from '../../../fixtures.ts';
import { condense, type KitCheck, type KitIssue, notApplicable } from '../../check.ts';
import { differences } from '../../service/placeholders.ts';
import { describeOutcome } from '../../service/recorded.ts';
import type { Subject } from '../../service/subject.ts';

const NAME = 'migrations';
const TIMEOUT_MS = 2000;

/** Fields that older versions stored become those of this one, with no secret lost, also where little was filled in. */
export async function checkMigrations({ connector, code, fixture }: Subject): Promise<KitCheck> {
  const steps = code.migrate ?? [];
  if (steps.length === 0) return notApplicable(NAME, 'no older version stored other fields');
  const recorded = fixture.migrations ?? [];
  const untried = steps.filter(({ from }) => !recorded.some((one) => one.from === from));
  const schema = connector.credentials;
  const secrets = new Set<string>(secretKeys(schema));
  const known = { fields: new Set(Object.keys(schema.properties)), secrets };
  const issues = await Promise.all(recorded.map((one) => issuesOf(steps, one, known)));
  return {
    tier: 'gold',
    name: NAME,
    tried: recorded.length,
    issues: condense([...untried.map(({ from }) => unrecorded(connector.id, from)), ...issues.flat()]),
  };
}

const unrecorded = (id: string, from: string): KitIssue => ({
  what: `nothing says what fields of version ${from} become`,
  where: 'conformance.json',
  fix: `Record connectors.${id}.migrations with what ${from} stored, and what it has to be now.`,
});

interface Known {
  readonly fields: ReadonlySet<string>;
  readonly secrets: ReadonlySet<string>;
}

async function issuesOf(
  steps: readonly CredentialMigration[],
  { from, config, secrets = [], expect }: RecordedMigration,
  known: Known,
): Promise<KitIssue[]> {
  const where = `migrations, from ${from}`;
  const due = steps.filter((step) => compareVersions(step.from, from) >= 0);
  const run = (stored: StoredNames) => runStep(() => runSteps(due, stored), { timeoutMs: TIMEOUT_MS });
  const [first, again, empty] = [
    await run({ config, secrets }),
    await run({ config, secrets }),
    await run({ config: {}, secrets: [] }),
  ];
  if (!first.ok) return [{ what: `the migration ${describeOutcome({ outcome: first })}`, where, fix: 'Correct it.' }];
  const expected = { config: expect.config, secrets: [...(expect.secrets ?? [])].toSorted() };
  const { value } = first;
  const strange = [
    ...Object.keys(value.config).filter((name) => !known.fields.has(name)),
    ...value.secrets.filter((name) => !known.secrets.has(name)),
  ];
  return [
    ...differences(expected, value).map((one) => ({
      ...{ what: `stored fields become something else: ${one}`, where },
      fix: 'Correct the migration, or what is expected of it.',
    })),
    ...strange.map((name) => ({
      ...{ what: `"${name}" comes out, which the form has not`, where, fix: 'Drop it, or rename it to a field.' },
    })),
    ...(again.ok ? differences(value, again.value, 1) : ['it fails']).map((one) => ({
      ...{ what: `the migration gives something else the second time: ${one}`, where },
      fix: 'Make it pure: the result follows from what is stored alone.',
    })),
    ...(empty.ok
      ? []
      : [
          {
            what: `the migration ${describeOutcome({ outcome: empty })} where no field was stored`,
            where,
            fix: 'A field that is not required may never have been filled in.',
          },
        ]),
  ];
}

async function runSteps(steps: readonly CredentialMigration[], stored: StoredNames): Promise<StoredNames> {
  let now = stored;
  for (const step of steps.toSorted((one, other) => compareVersions(one.from, other.from))) {
    now = await runMigrationStep(step, now);
  }
  return { config: now.config, secrets: [...now.secrets].toSorted() };
}

/** `1.10.0` is newer than `1.9.0`. */
function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, 'en', { numeric: true });
}

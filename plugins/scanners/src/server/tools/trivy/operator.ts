import type { FindingType, NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { partOf, soughtTypes } from '../../lib/findings/coverage.ts';
import type { Tally } from '../../lib/json/records.ts';
import type { JsonShape } from '../../lib/json/report.ts';
import { defined, fields, label, labels, list } from '../../lib/values/read.ts';
import { type RecordCheck, recordCheck } from '../../lib/values/schema.ts';
import { misconfigurationFinding, secretFinding } from './other-findings.ts';
import { anyRecordCheck, misconfigurationCheck, type Target, vulnerabilityCheck } from './target.ts';
import { vulnerabilityFinding } from './vulnerability.ts';

/** A report of Trivy Operator: a custom resource of the cluster. Source: trivy-operator pkg/apis/aquasecurity/v1alpha1. */
const Resource = Type.Object({
  apiVersion: Type.String({ pattern: '^aquasecurity\\.github\\.io/' }),
  kind: Type.String({ pattern: 'Report$' }),
});
export type Resource = Static<typeof Resource>;
export const resourceCheck = recordCheck(Resource);

/** Names of the resources as `kubectl get` knows them; people put the lists of all into one object. */
const PLURALS = [
  ...['vulnerability', 'configaudit', 'exposedsecret', 'rbacassessment', 'infraassessment', 'sbom'],
  ...['clustervulnerability', 'clusterconfigaudit', 'clusterrbacassessment', 'clusterinfraassessment'],
  ...['clustercompliance', 'clustersbom'],
].map((kind) => `${kind}reports.aquasecurity.github.io`);

/** Lists of resources: `items` of `kubectl get -o json`, or one for each kind. */
export const RESOURCE_LISTS: readonly string[] = ['items', ...PLURALS];

export const OPERATOR_SHAPE: JsonShape = Object.fromEntries(RESOURCE_LISTS.map((name) => [name, 'records'] as const));

/** How sure the keys and texts at the start of a file are. */
export function operatorScore(keys: ReadonlySet<string>, texts: ReadonlyMap<string, string>, head: Buffer): number {
  if (texts.get('apiVersion')?.startsWith('aquasecurity.github.io/') === true) return 0.98;
  if (PLURALS.some((name) => keys.has(name))) return 0.98;
  return keys.has('items') && head.includes('"aquasecurity.github.io/') ? 0.95 : 0;
}

type Fields = Record<string, unknown>;

const KINDS: readonly (readonly [RegExp, FindingType])[] = [
  [/VulnerabilityReport$/, 'Container'],
  [/ExposedSecretReport$/, 'Secrets'],
  [/(?:ConfigAudit|Assessment|Compliance)Report$/, 'Configuration'],
];

/** Findings of the resources of one file, and what they are about. */
export class OperatorReports {
  private readonly tally: Tally;
  private readonly types = new Set<FindingType>();
  private readonly parts = new Map<string, Readonly<Record<string, string | undefined>>>();

  constructor(tally: Tally) {
    this.tally = tally;
  }

  *findings(resource: Resource): Generator<ReportRecord> {
    const record = fields(resource);
    const kind = label(record.kind) ?? '';
    const workload = workloadOf(record);
    this.see(kind, workload);
    const report = fields(record.report);
    const target = targetOf(report, workload);
    yield* this.each(report.vulnerabilities, vulnerabilityCheck, (found) =>
      vulnerabilityFinding(found, placed(target, found)),
    );
    yield* this.each(report.secrets, anyRecordCheck, (found) => secretFinding(found, placed(target, found)));
    yield* this.each(report.checks, misconfigurationCheck, (found) => misconfigurationFinding(found, target));
    for (const control of list(fields(fields(record.status).detailReport).results).map(fields)) {
      const checks = list(control.checks)
        .map(fields)
        .map((check) => ({ ...check, severity: label(check.severity) ?? control.severity }));
      yield* this.each(checks, misconfigurationCheck, (found) => misconfigurationFinding(found, placed(target, found)));
    }
  }

  /** One resource is about its workload; of several nobody knows whether they are all of the cluster. */
  *coverage(): Generator<ReportRecord> {
    const [part] = this.parts.values();
    if (this.parts.size === 1 && part !== undefined) yield* partOf(part);
    yield* soughtTypes(this.types);
  }

  private see(kind: string, workload: string | undefined): void {
    for (const [pattern, type] of KINDS) if (pattern.test(kind)) this.types.add(type);
    if (this.parts.size < 2) this.parts.set(`${kind} ${workload ?? ''}`, { workload, report: kind });
  }

  private *each<T>(
    records: unknown,
    check: RecordCheck<T>,
    normalise: (record: T) => NormalizedFinding | undefined,
  ): Generator<ReportRecord> {
    for (const [index, value] of list(records).entries()) {
      const record = named(fields(value));
      if (!check.accepts(record)) yield* this.tally.addUnreadable(`a record of a resource [${index}]`, check.issue());
      else {
        const finding = normalise(record);
        if (finding !== undefined) yield finding;
      }
    }
  }
}

/** The record under the names of Trivy's own report. */
function named(record: Fields): Fields {
  const { success, score } = record;
  return defined({
    VulnerabilityID: record.vulnerabilityID,
    PkgName: record.resource,
    PkgPath: label(record.packagePath),
    PkgIdentifier: { PURL: record.packagePURL },
    InstalledVersion: record.installedVersion,
    FixedVersion: record.fixedVersion,
    CVSS: record.cvss ?? { operator: { V3Score: typeof score === 'number' && score > 0 ? score : undefined } },
    // Some checks have no id.
    ID: label(record.checkID) ?? label(record.title),
    Message: labels(record.messages).join('\n'),
    Resolution: record.remediation,
    Status: success === undefined ? undefined : success === true ? 'PASS' : 'FAIL',
    Type: record.category,
    RuleID: record.ruleID,
    Match: record.match,
    Category: record.category,
    Title: record.title,
    Description: record.description,
    Severity: record.severity,
    PrimaryURL: record.primaryLink,
    References: record.links,
    target: record.target,
    type: record.packageType,
  });
}

function targetOf(report: Fields, workload: string | undefined): Target {
  const { repository } = fields(report.artifact);
  const name = [label(fields(report.registry).server), label(repository)]
    .filter((part) => part !== undefined)
    .join('/');
  return defined({
    path: label(repository) === undefined ? undefined : name,
    resource: workload,
    vulnerabilityType: 'Container' as const,
    misconfigurationType: 'Configuration' as const,
  });
}

/** The target with the file that a record names inside the image. */
function placed(target: Target, record: unknown): Target {
  const { target: file, type } = fields(record);
  return defined({ ...target, path: label(file) ?? target.path, type: label(type) });
}

/** `namespace/kind/name` of what was looked at, without the hash that a deployment adds to the names of its replica sets. */
function workloadOf(record: Fields): string | undefined {
  const metadata = fields(record.metadata);
  const marks = fields(metadata.labels);
  const mark = (name: string): string | undefined => label(marks[`trivy-operator.resource.${name}`]);
  const kind = mark('kind') ?? label(fields(list(metadata.ownerReferences)[0]).kind);
  const name = mark('name') ?? label(fields(list(metadata.ownerReferences)[0]).name) ?? label(metadata.name);
  const lasting = kind === 'ReplicaSet' ? name?.replace(/-[0-9a-z]{6,10}$/, '') : name;
  const parts = [mark('namespace') ?? label(metadata.namespace), kind, lasting].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join('/');
}

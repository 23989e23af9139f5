import type { FindingType, NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { partOf, scanFailure } from '../../lib/findings/coverage.ts';
import { cweNumbers, identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityFromWord, severityNumber } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson, textsUnder } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, labels, list, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'AWS Security Hub';
const Text = Type.String({ minLength: 1 });

/** A finding of AWS's format (ASFF, schema 2018-10-08), whichever product wrote it. */
const AsffFinding = Type.Object({ Id: Text, GeneratorId: Text, ProductArn: Text, Title: Text });
type AsffFinding = Static<typeof AsffFinding>;
const findingCheck = recordCheck(AsffFinding);

const FORMAT: JsonFormat = {
  name: NAME,
  // As the command line writes it, and as events carry it.
  shape: { Findings: 'records', findings: 'records', NextToken: 'value' },
};

function recogniseSecurityHub(head: Uint8Array): number {
  const sketch = sketchJson(head);
  const marks = ['GeneratorId', 'ProductArn'] as const;
  const isOurs = hasKeys(sketch, ...marks) || ['Findings', 'findings'].some((list) => innerHas(sketch, list, ...marks));
  if (!isOurs) return 0;
  // Prowler writes the same format, and has an importer of its own.
  return textsUnder(head, 'ProductFields', 'ProviderName').some((name) => /prowler/i.test(name)) ? 0.2 : 0.95;
}

/** Undefined for checks that passed. */
function asffFinding(found: AsffFinding): NormalizedFinding | undefined {
  const record = fields(found);
  const status = label(fields(record.Compliance).Status);
  if (status === 'PASSED' || status === 'NOT_AVAILABLE') return undefined;
  const rating = fields(record.Severity);
  const nativeSeverity = label(rating.Label) ?? label(rating.Original);
  const severity = severityFromWord(nativeSeverity) ?? 'informational';
  const resources = list(record.Resources).map(fields);
  const recommendation = fields(fields(record.Remediation).Recommendation);
  const product = label(record.ProductName) ?? label(fields(record.ProductFields)['aws/securityhub/ProductName']);
  const vulnerability = vulnerabilityOf(record);
  const ruleId = vulnerability.ruleId ?? controlOf(record);
  const account = label(record.AwsAccountId);
  return defined({
    kind: 'finding' as const,
    ...vulnerability.facts,
    ruleId,
    title: oneLine(text(found.Title) ?? ruleId),
    type: typeOf(resources, vulnerability.facts.component !== undefined),
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, (number(rating.Normalized) ?? 0) / 10),
    description: paragraphs(text(record.Description), otherResources(resources)),
    mitigation: text(recommendation.Text),
    references: webAddresses(recommendation.Url, record.SourceUrl, vulnerability.links),
    resource: label(resources[0]?.Id),
    policy: defined({ name: product, category: labels(record.Types)[0], control: ruleId }),
    fingerprint: label(record.Id),
    suppressed: settled(record),
    date: isoDate(record.UpdatedAt) ?? isoDate(record.LastObservedAt),
    tags: [account, label(resources[0]?.Region) ?? label(record.Region)].filter((tag) => tag !== undefined),
  });
}

/** The control of a standard; what has none is known by the product's own name for it. */
function controlOf(record: Record<string, unknown>): string {
  const generator = label(record.GeneratorId);
  const isRule = generator !== undefined && !generator.startsWith('arn:');
  return (
    label(fields(record.Compliance).SecurityControlId) ??
    label(fields(record.ProductFields).ControlId) ??
    (isRule ? generator : undefined) ??
    labels(record.Types)[0] ??
    generator ??
    'unnamed check'
  );
}

/** What Inspector and others say of a vulnerability and the package that has it. */
function vulnerabilityOf(record: Record<string, unknown>) {
  const [first] = list(record.Vulnerabilities);
  const vulnerability = fields(first);
  const ids = [label(vulnerability.Id), ...identifiersIn(label(record.Title) ?? '')].filter((id) => id !== undefined);
  const [packages] = list(vulnerability.VulnerablePackages);
  const entry = fields(packages);
  const name = label(entry.Name);
  const ratings = list(vulnerability.Cvss).map((rating) => {
    const { Version, BaseScore, BaseVector } = fields(rating);
    return cvss(Version, BaseScore, BaseVector);
  });
  const probability = number(vulnerability.EpssScore);
  const isShare = probability !== undefined && probability >= 0 && probability <= 1;
  const facts = defined({
    ...identifiers(...ids, ...labels(vulnerability.RelatedVulnerabilities)),
    ...chooseCvss(ratings),
    cwe: cweNumbers(vulnerability.Cwes),
    epss: isShare ? { probability } : undefined,
    component:
      name === undefined
        ? undefined
        : defined({
            name,
            version: versionOf(entry),
            ecosystem: ecosystemOf(entry.PackageManager),
            fixedVersion: label(entry.FixedInVersion),
          }),
    locations: placesOf(entry.FilePath),
  });
  return { ruleId: ids[0], facts, links: [...list(vulnerability.ReferenceUrls), fields(vulnerability.Vendor).Url] };
}

function placesOf(file: unknown): { path: string }[] | undefined {
  const path = normalisePath(file);
  return path === undefined ? undefined : [{ path }];
}

const versionOf = (entry: Record<string, unknown>): string | undefined =>
  [label(entry.Version), label(entry.Release)].filter((part) => part !== undefined).join('-') || undefined;

function ecosystemOf(manager: unknown): string | undefined {
  const name = label(manager)?.toLowerCase();
  return name === undefined || name === 'os' ? undefined : name;
}

function typeOf(resources: readonly Record<string, unknown>[], hasPackage: boolean): FindingType {
  if (!hasPackage) return 'Cloud';
  return resources.some((resource) => resource.Type === 'AwsEcrContainerImage') ? 'Container' : 'SCA';
}

function otherResources(resources: readonly Record<string, unknown>[]): string | undefined {
  const others = resources.slice(1, 100).flatMap((resource) => label(resource.Id) ?? []);
  return others.length === 0 ? undefined : `Further resources: ${others.join(', ')}`;
}

function settled(record: Record<string, unknown>): NormalizedFinding['suppressed'] {
  const state = label(fields(record.Workflow).Status);
  const reason = label(fields(record.Note).Text);
  if (state === 'SUPPRESSED')
    return defined({ verdict: 'accepted_risk' as const, reason: reason ?? 'Suppressed in Security Hub.' });
  if (state === 'RESOLVED' || record.RecordState === 'ARCHIVED')
    return { verdict: 'mitigated_externally', reason: reason ?? 'Resolved in Security Hub.' };
  return undefined;
}

function createReader(): StreamReader {
  const accounts = new Set<string>();
  let hasMore = false;
  const read = (found: AsffFinding) => {
    const account = label(fields(found).AwsAccountId);
    if (account !== undefined) accounts.add(account);
    return asffFinding(found);
  };
  const reader = { check: findingCheck, read };
  return {
    lists: { Findings: () => reader, findings: () => reader, report: () => reader },
    document(document) {
      if (!document.lists.has('Findings') && !document.lists.has('findings'))
        throw wrongTool(NAME, 'it has no “Findings”');
      // The last page has none.
      hasMore = label(document.values.get('NextToken')) !== undefined;
      return [];
    },
    *end() {
      yield { kind: 'report', toolName: NAME };
      for (const account of accounts) yield* partOf({ account });
      if (hasMore) yield scanFailure('This is not the last page: put all pages into one file.');
    },
  };
}

/** @throws ReportError */
const parseSecurityHub = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const securityHub: ReportParser = {
  tool: 'aws-security-hub',
  aliases: ['asff'],
  formats: ['json'],
  reads: {
    part: { account: 'account of every finding, of passed checks too' },
    failure: ['`NextToken` of the last page'],
    identity: 'id of the finding in Security Hub; vulnerability, package and resource',
  },
  recognise: recogniseSecurityHub,
  parse: advised(parseSecurityHub, 'aws securityhub get-findings'),
};

import type { NormalizedFinding, ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { partOf } from '../../lib/findings/coverage.ts';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { ecosystemOf, packageName, purlText } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { isoDate, linksIn, oneLine } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, list, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'Dependency-Track';
const Text = Type.String({ minLength: 1 });

/** A vulnerability of a component. Source: Dependency-Track "File Formats", Finding Packaging Format 1.0 to 1.3. */
const Finding = Type.Object({
  component: Type.Object({ name: Text }),
  vulnerability: Type.Object({ vulnId: Text }),
});
type Finding = Static<typeof Finding>;
const findingCheck = recordCheck(Finding);

const FORMAT: JsonFormat = {
  name: NAME,
  shape: { version: 'value', meta: 'value', project: 'value', findings: 'records' },
  // Projects without findings are exported so.
  writesNullLists: true,
};

function recogniseDependencyTrack(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'findings', 'component', 'vulnerability')) return 0.97;
  if (!hasKeys(sketch, 'meta', 'project') && !hasKeys(sketch, 'meta', 'findings')) return 0;
  return innerHas(sketch, 'meta', 'application', 'baseUrl') || innerHas(sketch, 'meta', 'application', 'timestamp')
    ? 0.95
    : 0;
}

function finding(found: Finding): NormalizedFinding {
  const record = fields(found);
  const vulnerability = fields(record.vulnerability);
  const component = fields(record.component);
  const nativeSeverity = label(vulnerability.severity);
  const rating = chooseCvss([
    cvss('3.1', positive(vulnerability.cvssV3BaseScore ?? vulnerability.cvssV3Score), vulnerability.cvssV3Vector),
    cvss('4.0', positive(vulnerability.cvssV4Score), vulnerability.cvssV4Vector),
    cvss('2.0', positive(vulnerability.cvssV2BaseScore ?? vulnerability.cvssV2Score), vulnerability.cvssV2Vector),
  ]);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const id = label(vulnerability.vulnId) ?? 'unnamed vulnerability';
  const purl = purlText(component.purl);
  const group = label(component.group);
  const ownName = label(component.name) ?? 'unnamed component';
  const name = packageName(purl)?.name ?? (group === undefined ? ownName : `${group}:${ownName}`);
  const source = label(vulnerability.source);
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(text(vulnerability.title) ?? `${id} in ${name}`),
    type: 'SCA' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: text(vulnerability.description),
    mitigation: text(vulnerability.recommendation),
    cwe: cweNumbers(
      number(vulnerability.cweId),
      list(vulnerability.cwes).map((entry) => number(fields(entry).cweId)),
    ),
    // Numbers of NPM's old advisories are no ids of their own.
    ...identifiers(/^\d+$/.test(id) ? undefined : id, ...list(vulnerability.aliases).flatMap(aliasIds)),
    ...rating,
    epss: epssOf(vulnerability),
    references: referencesOf(vulnerability.references),
    component: defined({ name, version: label(component.version), purl, ecosystem: ecosystemOf(purl) }),
    policy: source === undefined ? undefined : { name: source },
    suppressed: judged(fields(record.analysis)),
    date: isoDate(fields(record.attribution).attributedOn),
    published: isoDate(vulnerability.published),
  });
}

const aliasIds = (alias: unknown): string[] =>
  ['cveId', 'ghsaId', 'osvId', 'snykId', 'sonatypeId', 'gsdId'].flatMap((name) => label(fields(alias)[name]) ?? []);

/** 0 stands for "not rated". */
function positive(value: unknown): number | undefined {
  const score = number(value);
  return score !== undefined && score > 0 ? score : undefined;
}

function epssOf(vulnerability: Record<string, unknown>): NormalizedFinding['epss'] {
  const probability = number(vulnerability.epssScore);
  if (probability === undefined || probability < 0 || probability > 1) return undefined;
  const percentile = number(vulnerability.epssPercentile);
  return percentile !== undefined && percentile >= 0 && percentile <= 1 ? { probability, percentile } : { probability };
}

/** Markdown: `* [https://a](https://a)` */
function referencesOf(value: unknown): string[] | undefined {
  const markdown = text(value, 20_000);
  if (markdown === undefined) return undefined;
  return webAddresses(markdown.split(/[\s()[\]<>]+/), linksIn(markdown));
}

/** What an auditor decided. Source: Dependency-Track "Analysis States". */
function judged(analysis: Record<string, unknown>): NormalizedFinding['suppressed'] {
  const state = label(analysis.state) ?? label(analysis.analysisState);
  // no text: part of a finding
  const reason = `${state ?? 'Suppressed'} in Dependency-Track.`;
  if (state === 'FALSE_POSITIVE' || state === 'NOT_AFFECTED') return { verdict: 'false_positive', reason };
  if (state === 'RESOLVED') return { verdict: 'mitigated_externally', reason };
  return analysis.isSuppressed === true ? { verdict: 'accepted_risk', reason } : undefined;
}

const createReader = (): StreamReader => {
  const reader = { check: findingCheck, read: finding };
  return {
    lists: { findings: () => reader, report: () => reader },
    *document(document) {
      if (!document.lists.has('findings')) throw wrongTool(NAME, 'it has no “findings”');
      yield reportInfo(document);
      yield* partOf({ project: label(fields(document.values.get('project')).name) });
    },
  };
};

function reportInfo({ values }: JsonNode): ReportInfo {
  const meta = fields(values.get('meta'));
  return defined({
    kind: 'report' as const,
    toolName: NAME,
    toolVersion: label(meta.version),
    date: isoDate(meta.timestamp),
  });
}

/** @throws ReportError */
const parseDependencyTrack = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const dependencyTrack: ReportParser = {
  tool: 'dependency-track',
  formats: ['json'],
  reads: { part: { project: '`project.name`' }, failure: [], identity: 'vulnerability and component' },
  recognise: recogniseDependencyTrack,
  parse: advised(parseDependencyTrack, 'curl <address>/api/v1/finding/project/<project>/export'),
};

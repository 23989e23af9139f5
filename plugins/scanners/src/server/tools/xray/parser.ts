import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { imageName, normalisePath } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, labels, list, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'JFrog Xray';
const Text = Type.String({ minLength: 1 });

/** A row of the vulnerabilities report. Source: JFrog Xray REST API "Vulnerabilities report content". */
const Row = Type.Object({ vulnerable_component: Text, severity: Text });
type Row = Static<typeof Row>;
const rowCheck = recordCheck(Row);

const FORMAT: JsonFormat = { name: NAME, shape: { total_rows: 'value', rows: 'records' } };

function recogniseXray(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'rows', 'vulnerable_component', 'impacted_artifact')) return 0.97;
  return hasKeys(sketch, 'total_rows', 'rows') ? 0.9 : 0;
}

/** Types of packages by those of package URLs. */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['gav', 'maven'],
  ['go', 'golang'],
  ['python', 'pypi'],
  ['alpine', 'apk'],
]);

function rowFinding(row: Row): NormalizedFinding {
  const record = fields(row);
  const cves = list(record.cves).map(fields);
  const ids = cves.flatMap((entry) => label(entry.cve) ?? []);
  const issue = label(record.issue_id);
  const rating = chooseCvss(
    cves.flatMap((entry) => [
      cvss('3.1', entry.cvss_v3_score, entry.cvss_v3_vector),
      cvss('2.0', entry.cvss_v2_score, entry.cvss_v2_vector),
    ]),
  );
  const nativeSeverity = label(record.severity);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const ruleId = issue ?? ids[0] ?? 'unnamed issue';
  const component = componentOf(row.vulnerable_component, record);
  const artifact = label(record.impacted_artifact)?.replace(/^[a-z]+:\/\//i, '');
  const isImage = /^docker:/i.test(label(record.impacted_artifact) ?? '');
  const path = normalisePath(record.component_physical_path) ?? normalisePath(isImage ? undefined : record.path);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(record.summary) ?? `${ruleId} in ${component.name}`),
    type: isImage ? ('Container' as const) : ('SCA' as const),
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: paragraphs(text(record.summary), text(record.description)),
    cwe: cweNumbers(cves.flatMap((entry) => labels(entry.cwe))),
    ...identifiers(...ids, issue),
    ...rating,
    references: webAddresses(record.references),
    component,
    locations: path === undefined ? undefined : [{ path }],
    resource: isImage ? imageName(artifact) : artifact,
    suppressed: /^not_applicable$/i.test(label(record.applicability_result) ?? '')
      ? { verdict: 'false_positive' as const, reason: 'Not applicable, as the contextual analysis of Xray says.' }
      : undefined,
    date: isoDate(record.artifact_scan_time),
  });
}

/** `rpm://7:java-11-openjdk:0:11.0.6`, `npm://ip:2.0.0`, `gav://group:name:1.0` */
function componentOf(id: string, record: Record<string, unknown>) {
  const [, scheme = '', rest = ''] = /^([a-z0-9]+):\/\/(.*)$/is.exec(id.slice(0, 1_000)) ?? ['', '', id];
  const kind = (label(record.package_type) ?? scheme).toLowerCase();
  const parts = rest.split(':');
  // Packages of distributions have its release in front (Debian's vendor and release), and an epoch before the version.
  const isSystem = kind === 'rpm' || kind === 'deb' || kind === 'alpine';
  const at = isSystem ? releaseParts(kind, parts) : 0;
  const names = isSystem ? parts.slice(at, at + 1) : parts.slice(0, Math.max(1, parts.length - 1));
  const version = parts.slice(at + names.length).join(':');
  return defined({
    name: label(names.join(':')) ?? label(id.slice(0, 500)) ?? 'unnamed component',
    version: label(version),
    ecosystem: kind === '' ? undefined : (ECOSYSTEMS.get(kind) ?? kind),
    fixedVersion: labels(record.fixed_versions).map(lowest).join(', ') || undefined,
  });
}

/** Source: JFrog Xray, "Component identifiers": `deb://vendor:dist:package:version`, `rpm://os-version:…`, `alpine://branch:…`. */
function releaseParts(kind: string, [first = '', second = '', ...rest]: readonly string[]): number {
  if (rest.length === 0) return 0;
  if (kind === 'deb') return rest.length > 1 && /^[a-z]+$/.test(first) && /^[a-z][\w.-]*$/.test(second) ? 2 : 0;
  return /^(?:el|fc|v)?\d+(?:\.\d+)*$/.test(first) ? 1 : 0;
}

/** `≥ 1.2.3`, `[1.2.3]` */
const lowest = (version: string): string => version.replace(/[[\]()≥>=]/g, '').trim();

function createReader(): StreamReader {
  let listed = 0;
  let total = 0;
  const read = (row: Row) => {
    listed += 1;
    return rowFinding(row);
  };
  const reader = { check: rowCheck, read };
  return {
    lists: { rows: () => reader, report: () => reader },
    document(document) {
      if (!document.lists.has('rows')) throw wrongTool(NAME, 'it has no “rows”');
      total = Math.max(total, number(document.values.get('total_rows')) ?? 0);
      return [];
    },
    *end() {
      yield { kind: 'report', toolName: NAME };
      if (listed < total) yield scanFailure(`${listed} of ${total} rows are listed: put all pages into one file.`);
    },
  };
}

/** @throws ReportError */
const parseXray = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const xray: ReportParser = {
  tool: 'jfrog-xray',
  aliases: ['xray'],
  formats: ['json'],
  reads: {
    part: {},
    failure: ['`total_rows` above the number of rows'],
    identity: 'issue, component and artifact',
  },
  recognise: recogniseXray,
  parse: advised(parseXray, 'Reports, Export, JSON'),
};

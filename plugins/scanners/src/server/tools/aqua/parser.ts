import type { NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { imageName, normalisePath } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type ReaderOf, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, list, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'Aqua';

/** A vulnerability of the image scanner, of its older list of CVEs, or of the API. Source: Aqua Enterprise 3 to 2022, scannercli. */
const Vulnerability = Type.Object({ name: Type.String({ minLength: 1 }) });
type Vulnerability = Static<typeof Vulnerability>;
const vulnerabilityCheck = recordCheck(Vulnerability);

const SCAN: JsonShape = {
  image: 'value',
  image_name: 'value',
  registry: 'value',
  resources: { each: { resource: 'value', vulnerabilities: 'records' } },
  cves: 'records',
};
const FORMAT: JsonFormat = {
  name: NAME,
  shape: { ...SCAN, results: { object: SCAN }, count: 'value', result: 'records', errorMsg: 'value' },
  // A resource without vulnerabilities has null.
  writesNullLists: true,
};

function recogniseAqua(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'resources', 'resource', 'vulnerabilities') && hasKeys(sketch, 'image')) return 0.97;
  if (hasKeys(sketch, 'image', 'scan_started') || hasKeys(sketch, 'image_name', 'cves')) return 0.97;
  if (hasKeys(sketch, 'image_name') && innerHas(sketch, 'results', 'image', 'scan_started')) return 0.97;
  return hasKeys(sketch, 'count', 'page', 'pagesize', 'result') ? 0.9 : 0;
}

function finding(
  vulnerability: Vulnerability,
  owner: Record<string, unknown>,
  image: string | undefined,
): NormalizedFinding {
  const record = fields(vulnerability);
  const nativeSeverity = label(record.aqua_severity) ?? label(record.severity) ?? label(record.nvd_severity);
  const rating = chooseCvss([
    cvss('3.0', positive(record.nvd_score_v3), record.nvd_vectors_v3),
    cvss(
      /v3/i.test(label(record.aqua_scoring_system) ?? '') ? '3.0' : '2.0',
      positive(record.aqua_score),
      record.aqua_vectors,
    ),
    cvss('2.0', positive(record.nvd_score ?? record.score), record.nvd_vectors),
  ]);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const own = fields(record.resource ?? owner);
  const name = label(own.name);
  const path = normalisePath(own.path) ?? normalisePath(record.file);
  const id = label(vulnerability.name) ?? 'unnamed vulnerability';
  const probability = number(record.epss_score);
  const isShare = probability !== undefined && probability >= 0 && probability <= 1;
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(name === undefined ? id : `${id} in ${name}`),
    type: 'Container' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: text(record.description),
    mitigation: text(record.solution),
    cwe: cweNumbers(list(record.cwe_info).map((entry) => fields(entry).Id)),
    ...identifiers(id),
    ...rating,
    epss: isShare ? { probability } : undefined,
    references: webAddresses(record.nvd_url, record.vendor_url, record.url),
    component:
      name === undefined
        ? undefined
        : defined({
            name,
            version: label(own.version),
            ecosystem: label(own.format),
            fixedVersion: label(record.fix_version),
          }),
    locations: path === undefined ? undefined : [{ path }],
    resource: imageName(label(record.image_name)) ?? image,
    suppressed:
      record.acknowledged === true || label(record.acknowledged_date) !== undefined
        ? { verdict: 'accepted_risk' as const, reason: 'Acknowledged in Aqua.' }
        : undefined,
    date: isoDate(record.last_found_date),
  });
}

/** 0 stands for "not rated". */
function positive(value: unknown): number | undefined {
  const score = number(value);
  return score !== undefined && score > 0 ? score : undefined;
}

/** The image that a part of the report is about; with its registry where that is said. */
function imageOf(node: JsonNode | undefined): string | undefined {
  if (node === undefined) return undefined;
  const name = label(node.values.get('image_name')) ?? label(node.values.get('image'));
  if (name === undefined) return imageOf(node.parent);
  const registry = label(node.values.get('registry'));
  const isAddress = registry?.includes('.') === true && !name.startsWith(registry);
  return imageName(isAddress ? `${registry}/${name}` : name);
}

function createReader(): StreamReader {
  let listed = 0;
  let total = 0;
  const vulnerabilities: ReaderOf = (node) => {
    if (node !== undefined && !node.root.isClosed) return LATER;
    const owner = fields(node?.values.get('resource'));
    const image = imageOf(node);
    const read = (record: Vulnerability) => {
      listed += 1;
      return finding(record, owner, image);
    };
    return { check: vulnerabilityCheck, read };
  };
  return {
    lists: { vulnerabilities, cves: vulnerabilities, result: vulnerabilities, report: vulnerabilities },
    *document(document) {
      const { values, lists, children } = document;
      const isScan = ['resources', 'results'].some((name) => children.has(name)) || lists.has('cves');
      if (!isScan && !lists.has('result') && !values.has('image')) throw wrongTool(NAME, 'it has no “resources”');
      yield defined({ kind: 'report' as const, toolName: NAME, target: imageOf(document) });
      total += number(values.get('count')) ?? 0;
      const error = label(values.get('errorMsg'));
      if (error !== undefined) yield scanFailure(error);
    },
    *end() {
      if (listed < total) yield scanFailure(`${listed} of ${total} results are listed: put all pages into one file.`);
    },
  };
}

/** @throws ReportError */
const parseAqua = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

export const aqua: ReportParser = {
  tool: 'aqua',
  formats: ['json'],
  reads: {
    part: {},
    failure: ['`errorMsg`', '`count` above the number of results'],
    identity: 'vulnerability, package and image',
  },
  recognise: recogniseAqua,
  parse: advised(parseAqua, 'scannercli scan --jsonfile report.json'),
};

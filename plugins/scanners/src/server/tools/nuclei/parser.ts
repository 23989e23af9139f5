import type { Epss, NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { originOf } from '../../lib/findings/addresses.ts';
import { scannedFiles } from '../../lib/findings/coverage.ts';
import { cweNumbers, identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { exchangeOf, isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { recordsAlone } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, labels, number, oneOrMore, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';

const Text = Type.String({ minLength: 1 });

/** A result of version 2 and later. Source: nuclei pkg/output/output.go `ResultEvent`. */
const Result = Type.Object({ 'template-id': Text });
/** Versions 2.1 to 2.4 wrote the name as one word. */
const EarlyResult = Type.Object({ templateID: Text });
/** Version 1 wrote what is now `info` beside the template. */
const FirstResult = Type.Object({ template: Text, matched: Text });

const NucleiResult = Type.Union([Result, EarlyResult, FirstResult]);
type NucleiResult = Static<typeof NucleiResult>;
const resultCheck = recordCheck(NucleiResult);

/** Undefined for templates that did not match, which the tool lists when asked to. */
function resultFinding(result: NucleiResult): NormalizedFinding | undefined {
  const record = fields(result);
  if (record['matcher-status'] === false) return undefined;
  const info = record.info === undefined ? record : fields(record.info);
  const classification = fields(info.classification);
  const ruleId = label(record['template-id'] ?? record.templateID ?? record.template) ?? 'unnamed template';
  const nativeSeverity = label(info.severity);
  const rating = chooseCvss([
    cvss('3.1', positive(classification['cvss-score']), label(classification['cvss-metrics'])),
  ]);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const place = placeOf(record);
  const matcher = label(record['matcher-name'] ?? record.matcher_name ?? record['extractor-name']);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(info.name) ?? ruleId),
    type: 'DAST' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: paragraphs(text(info.description), text(info.impact), evidenceOf(record, matcher)),
    mitigation: text(info.remediation),
    cwe: cweNumbers(classification['cwe-id']),
    // Older templates name the vulnerability by their id only.
    ...identifiers(...oneOrMore(classification['cve-id']), ...identifiersIn(ruleId)),
    ...rating,
    epss: epssOf(classification),
    references: webAddresses(info.reference, info.references),
    locations: place === undefined ? undefined : [{ path: place }],
    resource: label(record.host) ?? originOf(record.url) ?? label(record.ip),
    // One template matches in several ways at one address; each is a result of its own.
    fingerprint: matcher === undefined ? undefined : oneLine(`${ruleId} ${matcher} ${place ?? ''}`),
    http: exchangeOf({
      request: record.request,
      response: record.response,
      curl: record['curl-command'] ?? record.curl_command,
    }),
    date: isoDate(record.timestamp),
    tags: tagsOf(info.tags),
  });
}

/** 0 stands for "not rated". */
function positive(value: unknown): number | undefined {
  const score = number(value);
  return score !== undefined && score > 0 ? score : undefined;
}

function placeOf(record: Record<string, unknown>): string | undefined {
  return normalisePath(record['matched-at'] ?? record.matched ?? record.url ?? record.host);
}

/** What matched. */
function evidenceOf(record: Record<string, unknown>, matcher: string | undefined): string | undefined {
  const extracted = labels(record['extracted-results'] ?? record.extracted_results, 50).map((value) =>
    maskTokens(clean(value, LIMITS.idChars)),
  );
  return paragraphs(
    matcher === undefined ? undefined : `Matched: ${matcher}`,
    extracted.length === 0 ? undefined : `Extracted: ${extracted.join(', ')}`,
  );
}

function epssOf(classification: Record<string, unknown>): Epss | undefined {
  const probability = number(classification['epss-score']);
  if (probability === undefined || probability < 0 || probability > 1) return undefined;
  const percentile = number(classification['epss-percentile']);
  const isShare = percentile !== undefined && percentile >= 0 && percentile <= 1;
  return isShare ? { probability, percentile } : { probability };
}

/** A list, or words between commas in older versions. */
function tagsOf(value: unknown): string[] | undefined {
  const tags = labels(typeof value === 'string' ? value.slice(0, 2_000).split(/[,\s]+/) : value, 50);
  return tags.length === 0 ? undefined : tags;
}

const SARIF = SARIF_WRITERS.nuclei;
const NAME = SARIF.name;

function recogniseNuclei(head: Uint8Array): number {
  const sketch = sketchJson(head);
  const isResult = hasKeys(sketch, 'template-id') || hasKeys(sketch, 'templateID');
  if (isResult && (hasKeys(sketch, 'info') || hasKeys(sketch, 'host'))) return 0.98;
  if (isResult || innerHas(sketch, 'info', 'author', 'severity', 'tags')) return 0.85;
  return hasKeys(sketch, 'template', 'matched', 'severity') ? 0.9 : sarifScore(head, SARIF);
}

/** A result speaks for its host: what another report says of other hosts stays. */
function* withHost(result: NucleiResult, finding: NormalizedFinding | undefined): Generator<ReportRecord> {
  const record = fields(result);
  const place = placeOf(record);
  const origin = originOf(place) ?? originOf(record.host) ?? originOf(record.url);
  yield* scannedFiles([origin ?? label(record.host) ?? label(record.ip)]);
  if (finding !== undefined) yield finding;
}

/** Results on lines or in an array; no results, no bytes. @throws ReportError */
const parseNuclei = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, { writer: SARIF, shape: {}, emptyMeansNone: true, emptyForms: ['[]'] }, () =>
    recordsAlone(NAME, resultCheck, (result: NucleiResult) => withHost(result, resultFinding(result))),
  );

export const nuclei: ReportParser = {
  tool: 'nuclei',
  formats: ['json', 'jsonl', 'sarif'],
  reads: orSarif({
    part: {},
    files: 'origin of every result, as the folder of its addresses',
    failure: [],
    identity: 'template, matcher and address',
  }),
  emptyMeansNone: true,
  recognise: recogniseNuclei,
  parse: advised(parseNuclei, 'nuclei -jsonl'),
};

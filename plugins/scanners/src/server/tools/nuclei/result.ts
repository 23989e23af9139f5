import type { Epss, NormalizedFinding } from '@breakwater/sdk';
import { chooseCvss, cvss } from '../../lib/cvss.ts';
import { cweNumbers } from '../../lib/cwe.ts';
import { isoDate } from '../../lib/dates.ts';
import { identifiers, identifiersIn } from '../../lib/identifiers.ts';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { clean, defined, fields, label, labels, number, oneOrMore, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { maskTokens } from '../../lib/secrets.ts';
import { severityNumber, vulnerabilitySeverity } from '../../lib/severity.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import type { NucleiResult } from './schema.ts';

/** Undefined for templates that did not match, which the tool lists when asked to. */
export function resultFinding(result: NucleiResult): NormalizedFinding | undefined {
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

/** Address of the server alone: what a container's IP is does not last. */
function originOf(value: unknown): string | undefined {
  const url = label(value);
  if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}

/** What matched. Requests and answers stay out: they carry cookies and passwords. */
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

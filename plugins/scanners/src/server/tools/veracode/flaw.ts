import type { NormalizedFinding, Severity } from '@breakwater/sdk';
import { addressPlace, originOf } from '../../lib/findings/addresses.ts';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath, purlText } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityNumber } from '../../lib/findings/severity.ts';
import { isoDate, linksIn, oneLine, paragraphs, plainText } from '../../lib/findings/text.ts';
import { defined, fields, label, labels, list, number, position, text } from '../../lib/values/read.ts';

/** A flaw, whichever report it is in. */
export interface Flaw {
  scan: 'STATIC' | 'DYNAMIC' | 'MANUAL' | 'SCA';
  severity: unknown;
  cwe: unknown;
  name: unknown;
  id: unknown;
  description: string | undefined;
  mitigation?: string | undefined;
  file?: unknown;
  line?: unknown;
  function?: unknown;
  url?: unknown;
  parameter?: unknown;
  module?: unknown;
  date: unknown;
  suppressed: NormalizedFinding['suppressed'];
}

/** Very high to informational, as numbers from 5 to 0. Source: Veracode "Severity levels". */
const LEVELS: readonly (readonly [word: string, severity: Severity])[] = [
  ['Informational', 'informational'],
  ['Very Low', 'low'],
  ['Low', 'low'],
  ['Medium', 'medium'],
  ['High', 'high'],
  ['Very High', 'critical'],
];

const levelOf = (value: unknown) => LEVELS[number(value) ?? -1] ?? ([label(value), 'informational'] as const);

export function flawFinding(flaw: Flaw): NormalizedFinding {
  const [nativeSeverity, severity] = levelOf(flaw.severity);
  const weakness = number(flaw.cwe);
  const name = label(flaw.name);
  const ruleId = weakness === undefined ? (name ?? 'unnamed flaw') : `CWE-${weakness}`;
  const address = label(flaw.url);
  const place = address === undefined ? normalisePath(flaw.file) : addressPlace(address, label(flaw.parameter));
  const startLine = position(flaw.line);
  const method = label(flaw.function);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(name ?? ruleId),
    type: flaw.scan === 'STATIC' ? ('SAST' as const) : ('DAST' as const),
    severity,
    nativeSeverity,
    description: paragraphs(
      flaw.description,
      method === undefined ? undefined : `Function: ${method}`,
      label(flaw.parameter) === undefined ? undefined : `Parameter: ${label(flaw.parameter)}`,
    ),
    mitigation: flaw.mitigation,
    cwe: cweNumbers(weakness),
    locations: place === undefined ? undefined : [defined({ path: place, startLine })],
    resource: originOf(address) ?? label(flaw.module),
    fingerprint: label(flaw.id),
    suppressed: flaw.suppressed,
    date: dateOf(flaw.date),
  });
}

/** "2020-06-01 10:02:01 UTC" */
export const dateOf = (value: unknown): string | undefined => isoDate(label(value)?.replace(/ UTC$/, 'Z'));

/** A component with a known vulnerability. */
export interface VulnerableComponent {
  id: string | undefined;
  title?: string | undefined;
  severity: unknown;
  name: string | undefined;
  version: unknown;
  purl?: unknown;
  ecosystem?: string | undefined;
  fixedVersion?: unknown;
  paths: readonly unknown[];
  cwe: unknown;
  ratings: readonly (readonly [version: string, score: unknown, vector: unknown])[];
  description: string | undefined;
  links?: readonly unknown[];
  date?: unknown;
  suppressed: NormalizedFinding['suppressed'];
}

export function componentFinding(found: VulnerableComponent): NormalizedFinding {
  const [nativeSeverity, severity] = levelOf(found.severity);
  const rating = chooseCvss(found.ratings.map(([version, score, vector]) => cvss(version, positive(score), vector)));
  const ruleId = found.id ?? found.title ?? 'unnamed vulnerability';
  const paths = found.paths.map(normalisePath).filter((path) => path !== undefined);
  const { name } = found;
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(found.title ?? (name === undefined ? ruleId : `${ruleId} in ${name}`)),
    type: 'SCA' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: found.description,
    cwe: cweNumbers(found.cwe),
    ...identifiers(found.id),
    ...rating,
    references: webAddresses(found.links),
    component:
      name === undefined
        ? undefined
        : defined({
            name,
            version: label(found.version),
            purl: purlText(found.purl),
            ecosystem: found.ecosystem,
            fixedVersion: label(found.fixedVersion),
          }),
    locations: paths.length === 0 ? undefined : [...new Set(paths)].map((path) => ({ path })),
    suppressed: found.suppressed,
    date: dateOf(found.date),
  });
}

/** 0 stands for "not rated". */
function positive(value: unknown): number | undefined {
  const score = number(value);
  return score !== undefined && score > 0 ? score : undefined;
}

/** What was decided: an accepted proposal, or a flaw that the next scan did not find any more. */
export function decision(
  isFixed: boolean,
  isAccepted: boolean,
  reasons: readonly string[],
): NormalizedFinding['suppressed'] {
  if (isFixed) return { verdict: 'mitigated_externally', reason: 'Fixed, as Veracode says.' };
  if (!isAccepted) return undefined;
  const isFalse = reasons.some((reason) => /false.positive/i.test(reason));
  return {
    verdict: isFalse ? 'false_positive' : 'accepted_risk',
    reason: oneLine(reasons.join(', ') || 'Mitigation accepted.'),
  };
}

/** A finding of the findings API. Source: Veracode Findings REST API v2. */
export function apiFinding(value: unknown): NormalizedFinding {
  const record = fields(value);
  const details = fields(record.finding_details);
  const state = fields(record.finding_status);
  const html = text(record.description) ?? '';
  const resolution = label(state.resolution) ?? '';
  const isFixed = resolution === 'FIXED' || (state.status === 'CLOSED' && resolution === 'UNRESOLVED');
  const isDecided = label(state.resolution_status) === 'APPROVED' || state.status === 'CLOSED';
  const suppressed = decision(isFixed, isDecided, [resolution]);
  const cwe = fields(details.cwe);
  if (record.scan_type === 'SCA') {
    const cve = fields(details.cve);
    const newer = fields(cve.cvss3);
    return componentFinding({
      id: label(cve.name),
      severity: details.severity,
      name: componentName(label(details.component_filename), label(details.version)),
      version: details.version,
      paths: list(details.component_path).map((entry) => fields(entry).path),
      cwe: cwe.id,
      ratings: [
        ['3.1', newer.score, newer.vector],
        ['2.0', cve.cvss, cve.vector],
      ],
      description: plainText(html) || undefined,
      links: [cve.href],
      date: state.last_seen_date,
      suppressed,
    });
  }
  const scan = label(record.scan_type);
  const finding = flawFinding({
    scan: scan === 'DYNAMIC' || scan === 'MANUAL' ? scan : 'STATIC',
    severity: details.severity,
    cwe: cwe.id,
    name: cwe.name ?? fields(details.finding_category).name,
    id: record.issue_id,
    description: plainText(html) || undefined,
    file: label(details.file_path) ?? details.file_name,
    line: details.file_line_number,
    function: details.procedure,
    url: details.url,
    parameter: details.vulnerable_parameter,
    module: details.module,
    date: state.last_seen_date,
    suppressed,
  });
  const references = webAddresses(linksIn(html));
  return references === undefined ? finding : { ...finding, references };
}

/** `spring-core-5.3.1.jar` of version 5.3.1 is spring-core. */
export function componentName(file: string | undefined, version: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const name = file.replace(/\.(?:jar|war|dll|zip|tgz|gem|whl|js)$/i, '');
  return version !== undefined && name.endsWith(`-${version}`) ? name.slice(0, -version.length - 1) : name;
}

/** An issue of agent-based scans. Source: Veracode SCA API v3, workspaces/{id}/issues. */
export function agentFinding(value: unknown): NormalizedFinding {
  const record = fields(value);
  const library = fields(record.library);
  const vulnerability = fields(record.vulnerability);
  const [ecosystem, ...coordinates] = (label(library.id) ?? '').split(':');
  const name = coordinates
    .slice(0, ecosystem === 'maven' ? 2 : 1)
    .filter((part) => part !== '')
    .join(':');
  const cve = label(vulnerability.cve);
  const score = number(record.severity);
  return componentFinding({
    id: cve === undefined ? label(vulnerability.id) : `CVE-${cve.replace(/^CVE-/i, '')}`,
    title: text(vulnerability.title),
    severity: levelOfScore(score),
    name: name || label(library.name),
    version: library.version,
    ecosystem: ecosystem === '' ? undefined : ecosystem,
    paths: [],
    cwe: labels(vulnerability.cwe_id),
    ratings: [
      ['3.1', vulnerability.cvss3_score, vulnerability.cvss3_vector],
      ['2.0', vulnerability.cvss2_score, vulnerability.cvss2_vector],
    ],
    description: text(vulnerability.overview),
    links: [fields(fields(record._links).html).href],
    date: record.created_date,
    suppressed:
      record.ignored === true
        ? { verdict: 'accepted_risk', reason: 'Ignored in Veracode.' }
        : decision(/^fixed$/i.test(label(record.issue_status) ?? ''), false, []),
  });
}

/** Agent-based scans rate by CVSS; the platform shows its bands: from 8.1 very high, 6.1, 4.1, 2.1. */
export function levelOfScore(score: number | undefined): number | undefined {
  if (score === undefined) return undefined;
  return score > 8 ? 5 : score > 6 ? 4 : score > 4 ? 3 : score > 2 ? 2 : score > 0 ? 1 : 0;
}

import type { NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { addressPlace } from '../../lib/findings/addresses.ts';
import { cweNumbers, identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { chooseCvss, cvss, severityFromWord, severityNumber } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import type { XmlRecord } from '../../lib/formats/xml.ts';
import { defined, fields, label, labels, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** One result of a plugin at a host, under the names that all exports are read into. */
const Result = Type.Object({ id: Text, name: Text });
export type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);

/**
 * Columns of the three tables by their names in `Result`. Sources: Nessus 8 to 10 "CSV", Tenable.sc "CSV" of the vulnerability detail list,
 * Tenable Vulnerability Management "Export findings".
 */
const COLUMNS: ReadonlyMap<string, string> = new Map([
  ...['plugin id', 'plugin', 'definition.id'].map((name) => [name, 'id'] as const),
  ...['name', 'plugin name', 'definition.name'].map((name) => [name, 'name'] as const),
  ...['risk', 'severity'].map((name) => [name, 'severity'] as const),
  ...['host', 'asset.name', 'dns name'].map((name) => [name, 'host'] as const),
  ...['ip address', 'asset.display_ipv4_address'].map((name) => [name, 'ip'] as const),
  ...['family', 'definition.family'].map((name) => [name, 'family'] as const),
  ...['synopsis', 'definition.synopsis'].map((name) => [name, 'synopsis'] as const),
  ...['description', 'definition.description'].map((name) => [name, 'description'] as const),
  ...['solution', 'steps to remediate', 'definition.solution'].map((name) => [name, 'solution'] as const),
  ...['see also', 'definition.see_also'].map((name) => [name, 'links'] as const),
  ...['plugin output', 'output'].map((name) => [name, 'output'] as const),
  ...['cve', 'definition.cve'].map((name) => [name, 'cve'] as const),
  ...['cwe', 'definition.cwe'].map((name) => [name, 'cwe'] as const),
  ...['cvss', 'cvss v2.0 base score', 'cvss v2 base score', 'definition.cvss2.base_score'].map(
    (name) => [name, 'cvss2'] as const,
  ),
  ...['cvss v2 vector', 'definition.cvss2.base_vector'].map((name) => [name, 'vector2'] as const),
  ...['cvss v3.0 base score', 'cvss v3 base score', 'definition.cvss3.base_score'].map(
    (name) => [name, 'cvss3'] as const,
  ),
  ...['cvss v3 vector', 'definition.cvss3.base_vector'].map((name) => [name, 'vector3'] as const),
  ...['cvss v4.0 base score', 'definition.cvss4.base_score'].map((name) => [name, 'cvss4'] as const),
  ...['epss score', 'definition.epss.score'].map((name) => [name, 'epss'] as const),
  ...['port', 'protocol', 'state', 'risk_modified', 'recast_reason'].map((name) => [name, name] as const),
  ...['last_seen'].map((name) => [name, 'date'] as const),
  ...['accept risk comment'].map((name) => [name, 'accepted'] as const),
]);

export function columnOf(name: string): string {
  const known = name.trim().toLowerCase();
  // What else there is must not take the name of a known one: Tenable's `id` is that of the result.
  return COLUMNS.get(known) ?? `other ${known}`;
}

/** A `ReportItem` of the XML as a row of a table. */
export function resultOfItem({ element, above }: XmlRecord): Record<string, unknown> {
  const { attributes, texts } = element;
  const host = above.at(-1)?.get('name');
  const all = (name: string): string[] => element.all(name).map((child) => child.text);
  return {
    id: attributes.get('pluginID'),
    name: attributes.get('pluginName') ?? texts.plugin_name,
    family: attributes.get('pluginFamily'),
    severity: SEVERITIES[Number(attributes.get('severity'))] ?? texts.risk_factor,
    host,
    port: attributes.get('port'),
    protocol: attributes.get('protocol'),
    synopsis: texts.synopsis,
    description: texts.description,
    solution: texts.solution,
    output: texts.plugin_output,
    links: all('see_also').join('\n'),
    cve: all('cve').join(','),
    cwe: [...all('cwe'), ...all('xref').filter((entry) => entry.startsWith('CWE:'))].join(','),
    cvss2: texts.cvss_base_score ?? texts.cvss,
    vector2: texts.cvss_vector,
    cvss3: texts.cvss3_base_score ?? texts.cvssv3,
    vector3: texts.cvss3_vector,
    cvss4: texts.cvss4_base_score,
    vector4: texts.cvss4_vector,
    epss: texts.epss_score,
    isItem: true,
  };
}

const SEVERITIES = ['None', 'Low', 'Medium', 'High', 'Critical'] as const;

export function resultFinding(result: Result): NormalizedFinding {
  const record = fields(result);
  const nativeSeverity = label(record.severity);
  const rating = chooseCvss([
    cvss('3.1', positive(record.cvss3), vectorOf(record.vector3)),
    cvss('4.0', positive(record.cvss4), vectorOf(record.vector4)),
    cvss('2.0', positive(record.cvss2), vectorOf(record.vector2)),
  ]);
  const severity = severityFromWord(nativeSeverity) ?? 'informational';
  const ids = labels((label(record.cve) ?? '').split(/[,\s]+/));
  const place = placeOf(record);
  const ruleId = label(record.id) ?? 'unnamed plugin';
  const family = label(record.family);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(record.name) ?? ruleId),
    type: 'DAST' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: paragraphs(text(record.synopsis), text(record.description), text(record.output)),
    mitigation: solutionOf(record.solution),
    cwe: cweNumbers((label(record.cwe) ?? '').replaceAll('CWE:', 'CWE-').split(/[,\s]+/)),
    ...identifiers(...ids, ...identifiersIn(result.name)),
    ...rating,
    epss: epssOf(record.epss),
    references: webAddresses((text(record.links) ?? '').split(/[\s,]+/)),
    locations: place === undefined ? undefined : [{ path: place }],
    resource: hostOf(record),
    // Tables have a row for each CVE of a result, the XML one result with all.
    fingerprint: oneLine(
      [
        ruleId,
        place ?? '',
        label(record.protocol)?.toLowerCase() ?? '',
        record.isItem === true ? '' : (ids[0] ?? ''),
      ].join(' '),
    ),
    policy: family === undefined ? undefined : { category: family },
    suppressed: settled(record),
    date: isoDate(record.date),
  });
}

/** 0 stands for "not rated". */
function positive(value: unknown): number | undefined {
  const score = number(value);
  return score !== undefined && score > 0 ? score : undefined;
}

/** `CVSS2#AV:N/AC:L/Au:N/C:P/I:N/A:N` */
const vectorOf = (value: unknown): string | undefined => label(value)?.replace(/^CVSS2#/, '');

const hostOf = (record: Record<string, unknown>): string | undefined => label(record.host) ?? label(record.ip);

/** Address of a web application's page, or host and port. */
function placeOf(record: Record<string, unknown>): string | undefined {
  const host = hostOf(record);
  if (host !== undefined && /^https?:/i.test(host)) {
    const page = /\bon URL '(https?:[^'\s]{1,2000})'/.exec(text(record.output, 8_000) ?? '')?.[1];
    return addressPlace(page ?? host);
  }
  const port = number(record.port) ?? 0;
  return host === undefined || port === 0 ? host : `${host}:${port}`;
}

function solutionOf(value: unknown): string | undefined {
  const solution = text(value);
  return solution === undefined || /^n\/a\.?$/i.test(solution) ? undefined : solution;
}

function epssOf(value: unknown): NormalizedFinding['epss'] {
  const probability = number(value);
  return probability === undefined || probability < 0 || probability > 1 ? undefined : { probability };
}

/** What was decided or seen in Tenable's products. */
function settled(record: Record<string, unknown>): NormalizedFinding['suppressed'] {
  if (label(record.state)?.toUpperCase() === 'FIXED')
    return { verdict: 'mitigated_externally', reason: 'Fixed, as Tenable says.' };
  const reason = label(record.accepted) ?? label(record.recast_reason);
  if (label(record.accepted) === undefined && label(record.risk_modified)?.toUpperCase() !== 'ACCEPTED')
    return undefined;
  return { verdict: 'accepted_risk', reason: reason ?? 'Accepted in Tenable.' };
}

import type { NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs } from '../../lib/findings/text.ts';
import type { XmlElement } from '../../lib/formats/xml.ts';
import { defined, fields, label, labels, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** A row of the CSV; results of the XML are read into the same columns. Source: Greenbone's report formats "CSV Results" and "XML". */
const Result = Type.Object({ 'NVT OID': Text, 'NVT Name': Text });
export type Result = Static<typeof Result>;
export const resultCheck = recordCheck(Result);

/** A `result` of the XML as a row of the table. */
export function rowOf(result: XmlElement): Record<string, unknown> {
  const nvt = result.child('nvt');
  const host = result.child('host');
  const tags = tagsOf(nvt?.textOf('tags'));
  const refs = nvt?.child('refs')?.all('ref') ?? [];
  const ids = (type: RegExp): string[] =>
    refs
      .filter(({ attributes }) => type.test(attributes.get('type') ?? ''))
      .map(({ attributes }) => attributes.get('id') ?? '');
  const [port = '', protocol] = (result.textOf('port') ?? '').split('/', 2);
  return {
    'NVT OID': nvt?.attributes.get('oid'),
    'NVT Name': result.textOf('name') ?? nvt?.textOf('name'),
    IP: host?.text,
    Hostname: host?.textOf('hostname'),
    Port: port,
    'Port Protocol': protocol,
    CVSS: result.textOf('severity') ?? nvt?.textOf('cvss_base'),
    Severity: result.textOf('threat'),
    Summary: tags.get('summary'),
    'Specific Result': result.textOf('description'),
    Impact: tags.get('impact'),
    Solution: nvt?.textOf('solution') ?? tags.get('solution'),
    'Affected Software/OS': tags.get('affected'),
    'Vulnerability Insight': tags.get('insight'),
    CVEs: [...ids(/^cve/), nvt?.textOf('cve') ?? ''].join(','),
    'Other References': [...ids(/^url/), nvt?.textOf('xref') ?? ''].join('\n'),
    Timestamp: result.textOf('creation_time'),
    vector: tags.get('cvss_base_vector'),
    cwe: ids(/^cwe/),
    epss: nvt?.child('epss')?.child('max_severity')?.textOf('score'),
    family: nvt?.textOf('family'),
  };
}

/** `cvss_base_vector=…|summary=…|solution=…` */
function tagsOf(value: string | undefined): Map<string, string> {
  const parts = (value ?? '').split('|').map((part) => {
    const [name = '', ...rest] = part.split('=');
    return [name, rest.join('=')] as const;
  });
  return new Map(parts);
}

export function resultFinding(result: Result): NormalizedFinding {
  const record = fields(result);
  const nativeSeverity = label(record.Severity);
  const points = number(record.CVSS);
  // The vector's own version; a table has the score alone.
  const rating = chooseCvss([
    cvss('3.1', points !== undefined && points > 0 ? points : undefined, label(record.vector)),
  ]);
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const host = label(record.IP) ?? label(record.Hostname);
  const port = number(record.Port) ?? 0;
  const place = host === undefined || port === 0 ? host : `${host}:${port}`;
  const family = label(record.family);
  const ruleId = label(record['NVT OID']) ?? 'unnamed test';
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(record['NVT Name']) ?? ruleId),
    type: 'DAST' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: paragraphs(
      text(record.Summary),
      text(record['Specific Result']),
      text(record['Vulnerability Insight']),
      text(record.Impact),
      affectedText(record['Affected Software/OS']),
    ),
    mitigation: text(record.Solution),
    cwe: cweNumbers(labels(record.cwe)),
    ...identifiers(...labels((text(record.CVEs) ?? '').split(/[,\s]+/), 1_000)),
    ...rating,
    epss: epssOf(record.epss),
    references: webAddresses((text(record['Other References']) ?? '').split(/[\s,]+/)),
    locations: place === undefined ? undefined : [{ path: place }],
    resource: label(record.Hostname) ?? host,
    fingerprint: oneLine([ruleId, place ?? '', label(record['Port Protocol']) ?? ''].join(' ')),
    policy: family === undefined ? undefined : { category: family },
    suppressed: /^false positive$/i.test(nativeSeverity ?? '')
      ? { verdict: 'false_positive' as const, reason: 'Marked as a false positive in the scanner.' }
      : undefined,
    date: isoDate(record.Timestamp),
  });
}

function affectedText(value: unknown): string | undefined {
  const affected = text(value);
  return affected === undefined ? undefined : `Affected: ${affected}`;
}

function epssOf(value: unknown): NormalizedFinding['epss'] {
  const probability = number(value);
  return probability === undefined || probability < 0 || probability > 1 ? undefined : { probability };
}

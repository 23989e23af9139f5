// no text in this file: what findings say is stored in English
import type { NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { addressPlace, originOf } from '../../lib/findings/addresses.ts';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { chooseCvss, cvss, severityFromWord, severityNumber } from '../../lib/findings/severity.ts';
import { linksIn, oneLine, paragraphs, plainText } from '../../lib/findings/text.ts';
import type { XmlElement } from '../../lib/formats/xml.ts';
import { defined, fields, label, labels, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** A vulnerability of the JSON that Acunetix 360 and Invicti write; items of the older XML are read into it. */
const Vulnerability = Type.Object({ Name: Text, Severity: Text });
export type Vulnerability = Static<typeof Vulnerability>;
export const vulnerabilityCheck = recordCheck(Vulnerability);

export function vulnerabilityFinding(vulnerability: Vulnerability): NormalizedFinding {
  const record = fields(vulnerability);
  const classes = fields(record.Classification);
  const rating = chooseCvss([
    ratingOf('3.1', classes.Cvss31),
    ratingOf('3.0', classes.Cvss),
    ratingOf('2.0', classes.Cvss2),
  ]);
  const nativeSeverity = label(record.Severity);
  const severity = severityFromWord(nativeSeverity) ?? 'informational';
  const parameter = label(record.Parameter) ?? attacked(record.HttpRequest);
  const address = label(record.Url);
  const place = addressPlace(address, parameter);
  const name = label(vulnerability.Name);
  const ruleId = label(record.Type) ?? name ?? 'unnamed vulnerability';
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(name ?? ruleId),
    type: 'DAST' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: paragraphs(
      plain(record.Description),
      plain(record.Details),
      plain(record.Impact),
      parameter === undefined ? undefined : `Parameter: ${parameter}`,
      extraOf(record.ExtraInformation),
    ),
    mitigation: paragraphs(plain(record.RemedialProcedure), plain(record.RemedialActions)),
    cwe: cweNumbers(label(classes.Cwe)?.split(','), classes.CweList),
    ...identifiers(...labels(record.Cves)),
    ...rating,
    references: webAddresses(
      linksIn(text(record.ExternalReferences) ?? ''),
      linksIn(text(record.RemedyReferences) ?? ''),
      record.Links,
    ),
    locations: place === undefined ? undefined : [{ path: place }],
    resource: originOf(address),
    http: exchangeOf(record),
    policy: label(classes.Owasp) === undefined ? undefined : { name: 'OWASP', control: label(classes.Owasp) ?? '' },
    fingerprint: oneLine(`${ruleId} ${name ?? ''} ${place ?? ''} ${parameter ?? ''}`),
    suppressed: stateOf(record.State),
  });
}

const plain = (value: unknown): string | undefined => {
  const html = text(value);
  return html === undefined ? undefined : plainText(html) || undefined;
};

function ratingOf(version: string, value: unknown) {
  const { BaseScore, Vector, Score } = fields(value);
  return cvss(version, fields(BaseScore).Value ?? Score, Vector);
}

/** The parameter that the scanner changed. */
function attacked(request: unknown): string | undefined {
  const parameters = list(fields(request).Parameters).map(fields);
  return parameters.length === 1 ? label(parameters[0]?.Name) : undefined;
}

function extraOf(value: unknown): string | undefined {
  const lines = list(value)
    .slice(0, 20)
    .map(fields)
    .flatMap(({ Name, Value }) => {
      const said = plain(Value);
      return label(Name) === undefined || said === undefined ? [] : [`${label(Name)}: ${said}`];
    });
  return lines.length === 0 ? undefined : lines.join('\n');
}

function exchangeOf(record: Record<string, unknown>): NormalizedFinding['http'] {
  const request = text(fields(record.HttpRequest).Content);
  const response = text(fields(record.HttpResponse).Content);
  return request === undefined && response === undefined ? undefined : defined({ request, response });
}

/** "Present, FalsePositive", "Present, AcceptedRisk", "Fixed (Confirmed)" */
function stateOf(value: unknown): NormalizedFinding['suppressed'] {
  const state = label(value) ?? '';
  const reason = `${state} in Acunetix.`;
  if (/FalsePositive/i.test(state)) return { verdict: 'false_positive', reason };
  if (/AcceptedRisk|Ignored/i.test(state)) return { verdict: 'accepted_risk', reason };
  return /^Fixed/i.test(state) ? { verdict: 'mitigated_externally', reason } : undefined;
}

/** A `ReportItem` of the XML; `origin` is where the scan started. */
export function vulnerabilityOfItem(item: XmlElement, origin: string): Record<string, unknown> {
  const { texts } = item;
  const details = item.child('TechnicalDetails');
  const affects = texts.Affects ?? '';
  const parameter = texts.Parameter;
  return {
    Name: texts.Name,
    Severity: texts.Severity,
    Type: texts.Name,
    Url: affects.startsWith('/')
      ? `${origin}${affects}`
      : affects === '' || !/^https?:/i.test(affects)
        ? origin
        : affects,
    Parameter: parameter === '<empty>' ? undefined : parameter,
    Description: texts.Description,
    Details: texts.Details,
    Impact: texts.Impact,
    RemedialProcedure: texts.Recommendation,
    Classification: {
      CweList: item
        .child('CWEList')
        ?.all('CWE')
        .map(({ text: cwe }) => cwe),
      Cvss: scoreOf(item.child('CVSS3')),
      Cvss2: scoreOf(item.child('CVSS')),
    },
    Cves: item
      .child('CVEList')
      ?.all('CVE')
      .map(({ text: cve }) => cve),
    Links: item
      .child('References')
      ?.all('Reference')
      .map((reference) => reference.textOf('URL')),
    HttpRequest: { Content: details?.textOf('Request') },
    HttpResponse: { Content: details?.textOf('Response') },
    State: /^(?:true|1|yes)$/i.test(texts.IsFalsePositive ?? '') ? 'FalsePositive' : undefined,
  };
}

const scoreOf = (rating: XmlElement | undefined) => ({
  Score: rating?.textOf('Score'),
  Vector: rating?.textOf('Descriptor'),
});

import {
  type NormalizedFinding,
  type ParseOptions,
  ReportError,
  type ReportParser,
  type ReportRecord,
} from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { addressPlace, originOf } from '../../lib/findings/addresses.ts';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { linksIn, oneLine, paragraphs, plainText } from '../../lib/findings/text.ts';
import { readByStart, startText } from '../../lib/formats/by-start.ts';
import { rootName, type XmlElement, type XmlRecord, type XmlShape } from '../../lib/formats/xml.ts';
import { readXmlReport } from '../../lib/formats/xml-report.ts';
import { isWebPage } from '../../lib/json/report.ts';
import { clean, defined, label, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'Burp Suite';
const Text = Type.String({ minLength: 1 });

/** An issue of "Report selected issues" as XML. Source: Burp Suite 1.6 to 2024, whose files declare their elements. */
const Issue = Type.Object({ name: Text, host: Text });
type Issue = Static<typeof Issue>;
const issueCheck = recordCheck(Issue);

const XML: XmlShape = { root: 'issues', namespace: '', records: ['issue'], declaresElements: true, tool: NAME };

function issueFinding(issue: Issue, { element }: XmlRecord): NormalizedFinding {
  const said = (name: string) => plain(element.textOf(name));
  const nativeSeverity = label(element.textOf('severity'));
  const host = label(issue.host) ?? '';
  const path = text(element.textOf('path')) ?? '';
  const place = addressPlace(`${host}${path}`);
  const ruleId = label(element.textOf('type')) ?? label(issue.name) ?? 'unnamed issue';
  const classes = element.textOf('vulnerabilityClassifications') ?? '';
  const location = label(element.textOf('location'));
  const items = element.child('issueDetailItems')?.all('issueDetailItem') ?? [];
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(issue.name) ?? ruleId),
    type: 'DAST' as const,
    severity: severityFromWord(nativeSeverity) ?? ('informational' as const),
    nativeSeverity,
    description: paragraphs(
      said('issueDetail'),
      items.map((item) => `- ${plainText(item.text)}`).join('\n') || undefined,
      said('issueBackground'),
      location === undefined ? undefined : `Location: ${location}`,
      confidenceOf(element),
    ),
    mitigation: paragraphs(said('remediationDetail'), said('remediationBackground')),
    cwe: cweNumbers(plainText(classes)),
    references: webAddresses(linksIn(element.textOf('references') ?? ''), linksIn(classes)),
    locations: place === undefined ? undefined : [{ path: place }],
    resource: originOf(host) ?? host,
    http: exchangeOf(element),
    // The location names the parameter behind the path.
    fingerprint: oneLine(`${ruleId} ${host}${location ?? path}`),
    suppressed: /^false positive$/i.test(nativeSeverity ?? '')
      ? { verdict: 'false_positive' as const, reason: 'Marked as a false positive in Burp Suite.' }
      : undefined,
  });
}

function plain(html: string | undefined): string | undefined {
  return html === undefined ? undefined : plainText(html) || undefined;
}

function confidenceOf(element: XmlElement): string | undefined {
  const confidence = label(element.textOf('confidence'));
  return confidence === undefined ? undefined : `Confidence: ${confidence}`;
}

/** The first of the requests that show the issue. */
function exchangeOf(element: XmlElement): NormalizedFinding['http'] {
  const shown = element.child('requestresponse');
  const exchange = defined({
    request: messageOf(shown?.child('request')),
    response: messageOf(shown?.child('response')),
  });
  return exchange.request === undefined && exchange.response === undefined ? undefined : exchange;
}

function messageOf(message: XmlElement | undefined): string | undefined {
  if (message === undefined) return undefined;
  const isEncoded = message.attributes.get('base64') === 'true';
  return text(isEncoded ? clean(Buffer.from(message.text, 'base64').toString('utf8')) : message.text);
}

const isHtml = (start: string): boolean => isWebPage(Buffer.from(start)) && /<title>[^<]{0,40}Burp/i.test(start);

function recogniseBurp(head: Uint8Array): number {
  const start = startText(head);
  if (!start.startsWith('<')) return 0;
  if (isHtml(start)) return 0.6;
  return /<issues\s[^<>]{0,200}burpVersion=/.test(start) && rootOf(start) === 'issues' ? 0.98 : 0;
}

/** The root behind the declarations of its elements. */
function rootOf(start: string): string | undefined {
  const declared = start.indexOf('<!DOCTYPE issues');
  const end = declared < 0 ? -1 : start.indexOf(']>', declared);
  return rootName(end < 0 ? start : start.slice(end + 2));
}

/** @throws ReportError */
const parseBurp = (report: AsyncIterable<Uint8Array>, { signal }: ParseOptions): AsyncIterable<ReportRecord> =>
  readByStart(report, (start) => {
    if (isHtml(start))
      throw new ReportError(
        'report_malformed',
        'This is the HTML report of Burp Suite, which is for people. Choose “Report selected issues” and the format XML. Nothing was imported.',
      );
    const record = ({ element }: XmlRecord) => ({ name: element.textOf('name'), host: element.textOf('host') });
    return (whole) => readXmlReport(whole, { shape: XML, check: issueCheck, record }, signal, issueFinding);
  });

export const burp: ReportParser = {
  tool: 'burp',
  aliases: ['burp-suite'],
  formats: ['xml'],
  reads: { part: {}, failure: [], identity: 'issue type, address and parameter' },
  recognise: recogniseBurp,
  parse: parseBurp,
};

import type { NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { cweNumbers } from '../../lib/cwe.ts';
import { linksIn, plainText } from '../../lib/html.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, label, number } from '../../lib/read.ts';
import { type Tally, wrongTool } from '../../lib/records.ts';
import { webAddresses } from '../../lib/references.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import { readXml, type XmlElement, type XmlShape } from '../../lib/xml-records.ts';

const SCAN: XmlShape = { root: 'Scan', namespace: '', records: ['Issues/Issue'], tool: 'Fortify' };
/** The full export lists issues below the session that showed them. */
const SESSIONS: XmlShape = { root: 'Sessions', namespace: '', records: ['Session'], tool: 'Fortify' };
const SEVERITIES = ['informational', 'low', 'medium', 'high', 'critical'] as const;

/** Reads the XML of Fortify WebInspect. @throws ReportError */
export async function* readWebinspect(
  bytes: AsyncIterable<Uint8Array>,
  root: string,
  tally: Tally,
  signal: AbortSignal,
): AsyncGenerator<ReportRecord> {
  yield { kind: 'report', toolName: 'Fortify WebInspect' };
  const isScan = root === 'Scan';
  for await (const { element } of readXml(bytes, isScan ? SCAN : SESSIONS, signal)) {
    const issues = isScan ? [element] : (element.child('Issues')?.all('Issue') ?? []);
    const url = label(element.textOf('URL'));
    for (const [index, issue] of issues.entries()) {
      const id = label(issue.textOf('VulnerabilityID')) ?? label(issue.attributes.get('id'));
      const name = label(issue.textOf('Name'));
      if (name === undefined && id === undefined) yield* tally.fault(`Issue ${index + 1}`, 'has no name');
      else {
        tally.readable += 1;
        yield issueFinding(issue, { id: id ?? name ?? '', name: name ?? id ?? '', url });
      }
    }
  }
  tally.assertReadable((reason) => wrongTool('Fortify', undefined, reason));
}

function issueFinding(issue: XmlElement, { id, name, url }: { id: string; name: string; url: string | undefined }) {
  const nativeSeverity = label(issue.textOf('Severity'));
  const section = (title: string) =>
    issue
      .all('ReportSection')
      .find((entry) => entry.textOf('Name') === title)
      ?.textOf('SectionText');
  const plain = (title: string) => {
    const html = section(title);
    return html === undefined ? undefined : plainText(html) || undefined;
  };
  const path = normalisePath(withoutQuery(url));
  const weaknesses = (issue.child('Classifications')?.all('Classification') ?? [])
    .filter((entry) => /^CWE$/i.test(entry.attributes.get('kind') ?? ''))
    .map((entry) => entry.attributes.get('identifier') ?? entry.text);
  const finding: NormalizedFinding = defined({
    kind: 'finding' as const,
    ruleId: id,
    title: oneLine(name),
    type: 'DAST' as const,
    severity: SEVERITIES[number(nativeSeverity) ?? 0] ?? 'informational',
    nativeSeverity,
    description: paragraphs(plain('Summary'), plain('Implication')),
    mitigation: plain('Fix'),
    cwe: cweNumbers(weaknesses),
    references: webAddresses(linksIn(section('Reference Info') ?? ''), url),
    locations: path === undefined ? undefined : [{ path }],
    tags: labelled(issue.textOf('CheckTypeID')),
  });
  return finding;
}

/** The query changes from run to run. */
function withoutQuery(url: string | undefined): string | undefined {
  return url?.split(/[?#]/, 1)[0];
}

function labelled(value: string | undefined): string[] | undefined {
  const found = label(value);
  return found === undefined ? undefined : [found];
}

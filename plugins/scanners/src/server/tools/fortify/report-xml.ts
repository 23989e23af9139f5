import type { Location, NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { exchangeOf, linksIn, oneLine, paragraphs, plainText } from '../../lib/findings/text.ts';
import { readXml, type XmlElement, type XmlShape } from '../../lib/formats/xml.ts';
import { type Tally, wrongTool } from '../../lib/json/records.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, label, number, position } from '../../lib/values/read.ts';
import { suppressionOf } from './fvdl.ts';

const SHAPE: XmlShape = {
  root: 'ReportDefinition',
  namespace: '',
  records: [],
  anywhere: ['Issue', 'MajorAttributeSummary', 'groupTitle'],
  tool: 'Fortify',
};
const GENERAL_CHARS = 6_000;
/** What the developer workbook adds to the title of a category. */
const HIDDEN = / \(\d+ Hidden\)\s*$/;

/** What the report says of a category, before its issues. */
interface Category {
  explanation: string | undefined;
  recommendations: string | undefined;
}

/**
 * Reads the XML of Fortify's report generator: the security report, the developer workbook and what people made of them.
 * A section may repeat the issues of another. @throws ReportError
 */
export async function* readReportXml(
  bytes: AsyncIterable<Uint8Array>,
  tally: Tally,
  signal: AbortSignal,
): AsyncGenerator<ReportRecord> {
  const seen = new Set<string>();
  const categories = new Map<string, Category>();
  let title: string | undefined;
  let index = 0;
  for await (const { element } of readXml(bytes, SHAPE, signal)) {
    if (element.name === 'groupTitle') title = label(element.text.replace(HIDDEN, ''));
    else if (element.name === 'MajorAttributeSummary') {
      if (title !== undefined) categories.set(title, categoryOf(element));
    } else {
      index += 1;
      const id = label(element.attributes.get('iid'));
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      const category = label(element.textOf('Category'));
      if (category === undefined) yield* tally.addUnreadable(`Issue ${index}`, 'has no category');
      else {
        tally.readable += 1;
        yield issueFinding(element, category, categories.get(category));
      }
    }
  }
  yield { kind: 'report', toolName: 'Fortify' };
  tally.assertReadable((reason) => wrongTool('Fortify', reason));
}

function categoryOf(summary: XmlElement): Category {
  const value = (name: string) => {
    const entry = summary.all('MetaInfo').find((info) => info.textOf('Name') === name);
    const text = entry?.textOf('Value');
    return text === undefined ? undefined : clean(text, GENERAL_CHARS);
  };
  return { explanation: value('Explanation'), recommendations: value('Recommendations') };
}

function issueFinding(issue: XmlElement, category: string, general: Category | undefined): NormalizedFinding {
  const nativeSeverity = label(issue.textOf('Friority')) ?? label(issue.textOf('Folder'));
  const abstract = issue.textOf('Abstract');
  const primary = withLine(placeOf(issue.child('Primary')), abstract);
  const source = placeOf(issue.child('Source'));
  const kingdom = label(issue.textOf('Kingdom'));
  const cwe = issue.all('ExternalCategory').filter((entry) => /^CWE/i.test(entry.attributes.get('type') ?? ''));
  const flow = source === undefined || primary === undefined ? undefined : [[source, primary]];
  return defined({
    kind: 'finding' as const,
    ruleId: category,
    title: oneLine(category),
    type: 'SAST' as const,
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity,
    description: paragraphs(abstract === undefined ? undefined : plainText(abstract), general?.explanation),
    mitigation: general?.recommendations,
    cwe: cweNumbers(cwe.map((entry) => entry.text.replaceAll('CWE ID ', 'CWE-'))),
    locations: primary === undefined ? undefined : [primary],
    codeFlows: flow,
    fingerprint: label(issue.attributes.get('iid')),
    policy: kingdom === undefined ? undefined : { category: kingdom },
    suppressed: suppressionOf({
      isSuppressed: issue.attributes.get('suppressed') === 'true',
      analysis: analysisOf(issue),
      comment: label(issue.child('Comment')?.textOf('Comment')),
    }),
  });
}

function analysisOf(issue: XmlElement): string | undefined {
  const tag = issue.all('Tag').find((entry) => entry.textOf('Name') === 'Analysis');
  return label(tag?.textOf('Value'));
}

function placeOf(element: XmlElement | undefined): Location | undefined {
  const path = normalisePath(element?.textOf('FilePath') ?? element?.textOf('FileName'));
  if (element === undefined || path === undefined) return undefined;
  const code = element.textOf('Snippet');
  return defined({
    path,
    startLine: position(element.textOf('LineStart')),
    snippet: code === undefined ? undefined : clean(code, LIMITS.snippetChars),
    message: label(element.textOf('TargetFunction')),
  });
}

/** `by dereferencing a null pointer on line 28`, `at A.java line 20`: the line, where only the sentence says it. */
function withLine(place: Location | undefined, abstract: string | undefined): Location | undefined {
  if (place === undefined || place.startLine !== undefined || abstract === undefined) return place;
  const file = place.path.slice(place.path.lastIndexOf('/') + 1);
  const [first = '', ...sentences] = clean(abstract).split(/ lines? (?=\d)/);
  let before = first;
  for (const sentence of sentences) {
    const word = before.slice(before.lastIndexOf(' ') + 1);
    const startLine = position(/^\d{1,7}\b/.exec(sentence)?.[0]);
    before = sentence;
    if ((word === 'on' || word === 'at' || word === file) && startLine !== undefined) return { ...place, startLine };
  }
  return place;
}

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
      if (name === undefined && id === undefined) yield* tally.addUnreadable(`Issue ${index + 1}`, 'has no name');
      else {
        tally.readable += 1;
        yield webIssueFinding(issue, { session: element, id: id ?? name ?? '', name: name ?? id ?? '', url });
      }
    }
  }
  tally.assertReadable((reason) => wrongTool('Fortify', reason));
}

interface WebIssue {
  session: XmlElement;
  id: string;
  name: string;
  url: string | undefined;
}

function webIssueFinding(issue: XmlElement, { session, id, name, url }: WebIssue) {
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
    http: exchangeOf({
      request: messageIn(issue, session, 'VulnerableSession', 'RawRequest'),
      response: messageIn(issue, session, 'RawResponse'),
      curl: undefined,
    }),
    tags: labelled(issue.textOf('CheckTypeID')),
  });
  return finding;
}

/** The first of these that the issue has, else the session that showed it. */
function messageIn(issue: XmlElement, session: XmlElement, ...names: readonly string[]): string | undefined {
  const texts = [issue, session].flatMap((element) => names.map((name) => element.textOf(name)));
  return texts.find((message) => message !== undefined && message.trim() !== '');
}

/** The query changes from run to run. */
function withoutQuery(url: string | undefined): string | undefined {
  return url?.split(/[?#]/, 1)[0];
}

function labelled(value: string | undefined): string[] | undefined {
  const found = label(value);
  return found === undefined ? undefined : [found];
}

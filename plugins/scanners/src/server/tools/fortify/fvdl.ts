import type { Location, NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { partOf } from '../../lib/findings/coverage.ts';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { readXml, type XmlElement, type XmlRecord, type XmlShape } from '../../lib/formats/xml.ts';
import { wrongTool } from '../../lib/json/records.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, label, text } from '../../lib/values/read.ts';
import {
  type ClassText,
  classText,
  describe,
  type Groups,
  groupsOf,
  nodeStep,
  type Step,
  type StepReference,
  severityOf,
  type VulnerabilityFacts,
  vulnerabilityFacts,
} from './vulnerability.ts';

const NAME = 'Fortify';
const SHAPE: XmlShape = {
  root: 'FVDL',
  namespace: '',
  records: [
    'CreatedTS',
    'Build/Project',
    'Vulnerabilities/Vulnerability',
    'UnifiedNodePool/Node',
    'Description',
    'Snippets/Snippet',
    'EngineData/EngineVersion',
    'EngineData/RuleInfo/Rule',
  ],
  tool: NAME,
};

/** Source text of a place: its first line's number and the lines. */
interface Source {
  first: number;
  text: string;
}

/** A document while it is read: vulnerabilities come first, what explains them after. */
interface Fvdl {
  vulnerabilities: VulnerabilityFacts[];
  pool: Map<string, Step>;
  texts: Map<string, ClassText>;
  sources: Map<string, Source>;
  rules: Map<string, Groups>;
  date: string | undefined;
  version: string | undefined;
  project: string | undefined;
}

/** Reads `audit.fvdl`. @throws ReportError */
export async function* readFvdl(
  bytes: AsyncIterable<Uint8Array>,
  audit: Audit,
  signal: AbortSignal,
): AsyncGenerator<ReportRecord> {
  const fvdl: Fvdl = {
    vulnerabilities: [],
    pool: new Map(),
    texts: new Map(),
    sources: new Map(),
    rules: new Map(),
    date: undefined,
    version: undefined,
    project: undefined,
  };
  for await (const record of readXml(bytes, SHAPE, signal)) collect(fvdl, record);
  yield defined({ kind: 'report' as const, toolName: NAME, toolVersion: fvdl.version, date: fvdl.date });
  yield* partOf({ project: label(fvdl.project) });
  for (const facts of fvdl.vulnerabilities) yield findingOf(facts, fvdl, audit);
}

function collect(fvdl: Fvdl, { path, element }: XmlRecord): void {
  if (path === 'Build/Project') fvdl.project = element.text;
  else if (path === 'Vulnerabilities/Vulnerability') fvdl.vulnerabilities.push(vulnerabilityFacts(element));
  else if (path === 'UnifiedNodePool/Node') put(fvdl.pool, element.attributes.get('id'), nodeStep(element));
  else if (path === 'Description') put(fvdl.texts, classIdOf(element), classText(element));
  else if (path === 'Snippets/Snippet') put(fvdl.sources, element.attributes.get('id'), sourceOf(element));
  else if (path === 'EngineData/RuleInfo/Rule') put(fvdl.rules, element.attributes.get('id'), rulesGroups(element));
  else if (path === 'EngineData/EngineVersion') fvdl.version = label(element.text);
  else fvdl.date = isoDate(`${element.attributes.get('date') ?? ''}T${element.attributes.get('time') ?? ''}`);
}

function put<T>(map: Map<string, T>, id: string | undefined, value: T | undefined): void {
  if (map.size >= LIMITS.records) throw wrongTool(NAME, 'it holds too many parts');
  if (id !== undefined && value !== undefined) map.set(id, value);
}

function classIdOf(element: XmlElement): string | undefined {
  return element.attributes.get('classID') ?? element.attributes.get('ClassID');
}

/** Of a rule's many groups only those that are read. */
function rulesGroups(rule: XmlElement): Groups {
  const groups = groupsOf(rule.child('MetaInfo'));
  return new Map([...groups].filter(([name]) => /^(?:Impact|Accuracy|Probability|altcategoryCWE)$/.test(name)));
}

function sourceOf(element: XmlElement): Source | undefined {
  const text = element.child('Text')?.rawText;
  const first = Number(element.textOf('StartLine') ?? '1');
  return text === undefined || text.trim() === '' ? undefined : { first: Number.isInteger(first) ? first : 1, text };
}

function findingOf(facts: VulnerabilityFacts, fvdl: Fvdl, audit: Audit): NormalizedFinding {
  const { classId, instanceId, rating, kingdom } = facts;
  const traces = facts.traces.map((steps) => resolved(steps, fvdl)).filter((steps) => steps.length > 0);
  const main = traces[0] ?? [];
  const shown = main.find((step) => step.isDefault) ?? facts.primary ?? main.at(-1);
  const rule = classId === undefined ? undefined : fvdl.rules.get(classId);
  const text = classId === undefined ? undefined : fvdl.texts.get(classId);
  const flows = traces.filter((steps) => steps.length > 1);
  return defined({
    kind: 'finding' as const,
    ruleId: facts.category,
    title: oneLine(facts.category),
    type: facts.analyzer === 'pentest' ? ('DAST' as const) : ('SAST' as const),
    severity: severityOf(rating, facts.groups, rule),
    nativeSeverity: rating.severity,
    description: describe(text, facts.values),
    mitigation: text?.recommendations,
    cwe: cweNumbers((facts.groups.get('altcategoryCWE') ?? rule?.get('altcategoryCWE'))?.replaceAll('CWE ID ', 'CWE-')),
    references: webAddresses(text?.links),
    locations: shown === undefined ? undefined : [withSource(shown, fvdl)],
    codeFlows: flows.length === 0 ? undefined : flows.map((steps) => steps.map((step) => withSource(step, fvdl))),
    fingerprint: instanceId,
    policy: kingdom === undefined ? undefined : { category: kingdom },
    suppressed: instanceId === undefined ? undefined : audit.get(instanceId),
    tags: facts.analyzer === undefined ? undefined : [facts.analyzer],
  });
}

function resolved(steps: readonly (Step | StepReference)[], fvdl: Fvdl): Step[] {
  return steps.map((step) => ('ref' in step ? fvdl.pool.get(step.ref) : step)).filter((step) => step !== undefined);
}

/** The place with the line it names, as the document keeps it. */
function withSource({ location, snippet }: Step, fvdl: Fvdl): Location {
  const source = snippet === undefined ? undefined : fvdl.sources.get(snippet);
  if (source === undefined) return location;
  const line = source.text.split('\n')[(location.startLine ?? 0) - source.first];
  const code = line === undefined || line.trim() === '' ? source.text : line;
  return { ...location, snippet: clean(code, LIMITS.snippetChars) };
}

/** What people decided, by the id of the issue. */
type Audit = ReadonlyMap<string, NormalizedFinding['suppressed']>;

/** Id of the tag "Analysis", the same on every server. */
const ANALYSIS = '87f2364f-dcd4-49e6-861d-f8d3f351686b';
const AUDIT: XmlShape = { root: 'Audit', namespace: '', records: ['IssueList/Issue'], tool: 'Fortify' };

/** Reads `audit.xml` of an FPR. @throws ReportError */
export async function readAudit(bytes: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<Audit> {
  const found = new Map<string, NormalizedFinding['suppressed']>();
  for await (const { element } of readXml(bytes, AUDIT, signal)) {
    const id = label(element.attributes.get('instanceId'));
    const analysis = element.all('Tag').find((tag) => tag.attributes.get('id')?.toLowerCase() === ANALYSIS);
    const isSuppressed = element.attributes.get('suppressed') === 'true';
    const suppressed = suppressionOf({
      isSuppressed,
      analysis: analysis?.textOf('Value'),
      comment: commentOf(element),
    });
    if (id !== undefined && suppressed !== undefined) found.set(id, suppressed);
  }
  return found;
}

function commentOf(element: XmlElement): string | undefined {
  const comments = element.child('ThreadedComments')?.all('Comment') ?? [];
  return text(comments.at(-1)?.textOf('Content'), 2_000);
}

/** "Not an Issue" says more than that the issue is hidden. */
export function suppressionOf(issue: {
  isSuppressed: boolean;
  analysis: string | undefined;
  comment: string | undefined;
}): NormalizedFinding['suppressed'] {
  const isNone = /^(?:\d\s*-\s*)?(?:not an issue|false positive)$/i.test(issue.analysis ?? '');
  if (!issue.isSuppressed && !isNone) return undefined;
  const reason = issue.comment ?? (isNone ? 'Not an issue' : 'Suppressed in Fortify');
  return { verdict: isNone ? 'false_positive' : 'accepted_risk', reason };
}

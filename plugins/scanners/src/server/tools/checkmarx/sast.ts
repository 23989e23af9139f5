import type { Location, NormalizedFinding } from '@breakwater/sdk';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import type { XmlElement } from '../../lib/formats/xml.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import { packageOf, scaFinding } from './sca.ts';
import { severityOf, suppressionOf } from './schema.ts';

/** What every format says of a path through the code. */
export interface SastFacts {
  ruleId: string;
  title: string;
  severity: string | undefined;
  /** From source to sink. */
  steps: readonly Location[];
  /** Where the tool puts the result, when that is not the first step. */
  place?: Location | undefined;
  description?: string | undefined;
  mitigation?: string | undefined;
  cwe?: unknown;
  group?: string | undefined;
  language?: string | undefined;
  /** Checkmarx's own identity of a path; stays when lines move. */
  similarityId?: string | undefined;
  suppressed?: NormalizedFinding['suppressed'];
  links?: readonly unknown[];
  date?: string | undefined;
  tags?: readonly string[];
}

export function sastFinding(facts: SastFacts): NormalizedFinding {
  const { steps } = facts;
  const first = facts.place ?? steps[0];
  const last = steps.at(-1);
  const places = [first, isElsewhere(first, last) ? last : undefined].filter((place) => place !== undefined);
  return defined({
    kind: 'finding' as const,
    ruleId: facts.ruleId,
    title: oneLine(facts.title),
    type: 'SAST' as const,
    severity: severityOf(facts.severity),
    nativeSeverity: facts.severity,
    description: paragraphs(facts.description),
    mitigation: facts.mitigation,
    cwe: cweNumbers(facts.cwe),
    references: webAddresses(...(facts.links ?? [])),
    locations: places.length === 0 ? undefined : places,
    codeFlows: steps.length < 2 ? undefined : [[...steps]],
    fingerprint: facts.similarityId,
    policy: facts.group === undefined ? undefined : { category: facts.group.replaceAll('_', ' ') },
    suppressed: facts.suppressed,
    date: facts.date,
    tags: facts.tags === undefined || facts.tags.length === 0 ? undefined : [...facts.tags],
    language: facts.language?.toLowerCase(),
  });
}

function isElsewhere(first: Location | undefined, last: Location | undefined): boolean {
  return last !== undefined && (first?.path !== last.path || first.startLine !== last.startLine);
}

/** Steps of a path in JSON: `fileName`, `line`, `column`; the code only in the newest reports. */
export function stepsOf(nodes: unknown): Location[] {
  return list(nodes)
    .slice(0, LIMITS.flowSteps)
    .flatMap((node) => {
      const { fileName, line, column, name, code } = fields(node);
      const step = stepOf({ fileName, line, column, name, code });
      return step === undefined ? [] : [step];
    });
}

interface Node {
  fileName: unknown;
  line: unknown;
  column: unknown;
  name: unknown;
  code: unknown;
}

export function stepOf({ fileName, line, column, name, code }: Node): Location | undefined {
  const path = normalisePath(fileName);
  if (path === undefined) return undefined;
  const snippet = typeof code === 'string' && code.trim() !== '' ? clean(code, LIMITS.snippetChars) : undefined;
  const message = label(name);
  return defined({ path, startLine: position(line), startColumn: position(column), snippet, message });
}

type Fields = Record<string, unknown>;

/** An `xissue` of CxFlow gathers the paths of a query in a file; each path is a finding, and each vulnerable package. */
export function* issueFindings(issue: Fields): Generator<NormalizedFinding> {
  const details = fields(issue.additionalDetails);
  const packages = list(issue.scaDetails).map(fields);
  for (const entry of packages) yield packageFinding(issue, entry);
  const paths = list(details.results).map(fields);
  for (const path of paths) yield pathFinding(issue, details, path);
  if (packages.length === 0 && paths.length === 0) yield pathFinding(issue, details, {});
}

function pathFinding(issue: Fields, details: Fields, path: Fields): NormalizedFinding {
  const name = label(issue.vulnerability) ?? 'unnamed query';
  const source = stepFrom(path.source) ?? stepOf({ ...NO_STEP, fileName: issue.filename });
  const line = source?.startLine;
  const mark = fields(line === undefined ? undefined : fields(issue.details)[String(line)]);
  const isFalse = mark.falsePositive === true || issue.allFalsePositive === true;
  return sastFinding({
    ruleId: name,
    title: name,
    severity: label(issue.severity),
    steps: flowStepsOf(path),
    place: source,
    description: text(issue.description) ?? text(path.description),
    cwe: issue.cwe,
    language: label(issue.language),
    similarityId: label(issue.similarityId),
    suppressed: suppressionOf(isFalse ? '1' : path.state, undefined, mark.comment),
    links: [issue.link, details.recommendedFix],
  });
}

const NO_STEP = { fileName: undefined, line: undefined, column: undefined, name: undefined, code: undefined };

function stepFrom(value: unknown): Location | undefined {
  const { file, line, column, object, snippet } = fields(value);
  return stepOf({ fileName: file, line, column, name: object, code: snippet });
}

/** Steps are kept under their numbers; without them there are source and sink. */
function flowStepsOf(path: Fields): Location[] {
  const steps: Location[] = [];
  for (let index = 1; index <= LIMITS.flowSteps; index += 1) {
    const step = stepFrom(path[String(index)]);
    if (step === undefined) break;
    steps.push(step);
  }
  const ends = [stepFrom(path.source), stepFrom(path.sink)].filter((step) => step !== undefined);
  return steps.length > 0 ? steps : ends;
}

function packageFinding(issue: Fields, entry: Fields): NormalizedFinding {
  const finding = fields(entry.finding);
  const library = fields(entry.vulnerabilityPackage);
  const known = { name: label(library.name), version: label(library.version) };
  const component = packageOf(label(library.id), known);
  const fixedVersion = label(fields(finding.recommendations).version) ?? label(finding.fixResolutionText);
  return scaFinding({
    id: label(finding.id),
    cve: label(finding.cveName),
    severity: label(finding.severity) ?? label(issue.severity),
    component: component === undefined ? undefined : defined({ ...component, fixedVersion }),
    score: finding.score,
    cwe: finding.cweId ?? issue.cwe,
    description: text(finding.description) ?? text(issue.description),
    files: list(library.locations),
    links: [finding.references, entry.vulnerabilityLink],
    suppressed: finding.ignored === true ? { verdict: 'accepted_risk', reason: 'Ignored' } : undefined,
  });
}

type Attributes = ReadonlyMap<string, string>;

/** A `<Result>`: one path. Source: cx.xsd of CxSAST 7 to 9. */
export function resultFinding(result: XmlElement, query: Attributes, date: string | undefined): NormalizedFinding {
  const { attributes } = result;
  const path = result.child('Path');
  const name = label(query.get('name')) ?? 'unnamed query';
  const steps = (path?.all('PathNode') ?? []).slice(0, LIMITS.flowSteps).flatMap(pathNode);
  const place = stepOf({
    fileName: attributes.get('FileName'),
    line: attributes.get('Line'),
    column: attributes.get('Column'),
    name: undefined,
    code: steps[0]?.snippet,
  });
  const state = attributes.get('FalsePositive')?.toLowerCase() === 'true' ? '1' : attributes.get('state');
  return sastFinding({
    ruleId: label(query.get('id')) ?? name,
    title: name,
    severity: label(attributes.get('Severity')) ?? label(query.get('Severity')),
    steps,
    place,
    cwe: query.get('cweId'),
    group: label(query.get('group')),
    language: label(query.get('Language')),
    similarityId: label(path?.attributes.get('SimilarityId')),
    suppressed: suppressionOf(state, attributes.get('Status'), attributes.get('Remark')),
    links: [attributes.get('DeepLink')],
    date,
    tags: categoriesOf(query.get('categories')),
  });
}

function pathNode(node: XmlElement) {
  const code = node.child('Snippet')?.child('Line')?.textOf('Code');
  const step = stepOf({
    fileName: node.textOf('FileName'),
    line: node.textOf('Line'),
    column: node.textOf('Column'),
    name: node.textOf('Name'),
    code,
  });
  return step === undefined ? [] : [defined(step)];
}

/** "OWASP Top 10 2017;A7-Cross-Site Scripting (XSS),FISMA 2014;…", where a name may hold commas. */
function categoriesOf(categories: string | undefined): string[] {
  const parts = (categories ?? '').split(/,(?=[^,;]*;)/).map((part) => label(part.replace(';', ': ')));
  return [...new Set(parts.filter((part) => part !== undefined))].slice(0, 50);
}

// no text in this file: what findings say is stored in English
import type { Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, identifiers, identifiersIn } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { severityFromScore, severityFromWord } from '../../lib/findings/severity.ts';
import { isoDate, oneLine, paragraphs, plainText } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, labels, list, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });

/** An issue of `api/issues/search`, or of the reports that sonar-report writes from it. Source: SonarQube 6 to 10, Web API. */
const Issue = Type.Object({ rule: Text, component: Text });
export type Issue = Static<typeof Issue>;
export const issueCheck = recordCheck(Issue);

/** A security hotspot of `api/hotspots/search`. */
const Hotspot = Type.Object({ component: Text, vulnerabilityProbability: Text });
export type Hotspot = Static<typeof Hotspot>;
export const hotspotCheck = recordCheck(Hotspot);

/** What a report says of a rule. */
export interface Rule {
  name?: string;
  description?: string;
}

/** Rule of the Dependency-Check plugin, whose issues are known vulnerabilities of packages. */
const DEPENDENCY_RULE = /UsingComponentWithKnownVulnerability$/;

export function issueFinding(issue: Issue, rule: Rule): NormalizedFinding {
  const record = fields(issue);
  const ruleId = label(record.rule) ?? 'unnamed rule';
  const nativeSeverity = label(record.severity) ?? securityImpact(record.impacts);
  const message = text(record.message) ?? text(record.description);
  const common = {
    ...commonOf(record, ruleId, message ?? rule.name),
    severity: severityFromWord(nativeSeverity) ?? probabilityOf(nativeSeverity),
    nativeSeverity,
    description: paragraphs(message, rule.description),
    // `tags` name weaknesses as words: `cwe-120`; `cwe` alone says that there is one.
    cwe: cweNumbers(labels(record.tags), cweText(rule.description)),
    suppressed: settled(record),
    tags: tagsOf(record),
  };
  return defined(DEPENDENCY_RULE.test(ruleId) ? { ...common, ...dependencyOf(message ?? '') } : common);
}

export function hotspotFinding(hotspot: Hotspot): NormalizedFinding {
  const record = fields(hotspot);
  const nativeSeverity = label(record.vulnerabilityProbability);
  const category = label(record.securityCategory);
  const ruleId = label(record.ruleKey) ?? category ?? 'security hotspot';
  return defined({
    ...commonOf(record, ruleId, text(record.message)),
    severity: probabilityOf(nativeSeverity),
    nativeSeverity,
    description: paragraphs(text(record.message), 'A security hotspot: someone has to judge whether it is safe here.'),
    policy: category === undefined ? undefined : { category },
    suppressed: settled(record),
    tags: ['hotspot'],
  });
}

function commonOf(record: Record<string, unknown>, ruleId: string, title: string | undefined) {
  const place = placeOf(record);
  return {
    kind: 'finding' as const,
    ruleId,
    title: oneLine(title ?? ruleId),
    type: 'SAST' as const,
    locations: place === undefined ? undefined : [place],
    codeFlows: flowsOf(record),
    fingerprint: label(record.key),
    date: isoDate(record.updateDate) ?? isoDate(record.creationDate),
  };
}

function tagsOf(record: Record<string, unknown>): string[] | undefined {
  const tags = [label(record.type), ...labels(record.tags, 30)].filter((tag) => tag !== undefined);
  return tags.length === 0 ? undefined : tags;
}

/** The component is the project, a colon and the path; the project alone where the issue is about all of it. */
function placeOf(record: Record<string, unknown>): Location | undefined {
  const path = pathOf(record.component, record.project);
  if (path === undefined) return undefined;
  const range = fields(record.textRange);
  return defined({
    path,
    startLine: position(range.startLine) ?? position(record.line),
    endLine: position(range.endLine),
    // Offsets are counted from 0.
    startColumn: position((number(range.startOffset) ?? -1) + 1),
    endColumn: position((number(range.endOffset) ?? -1) + 1),
  });
}

function pathOf(component: unknown, project: unknown): string | undefined {
  const name = text(component, LIMITS.pathChars);
  const key = label(project);
  if (name === undefined || name === key) return undefined;
  if (key !== undefined && name.startsWith(`${key}:`)) return normalisePath(name.slice(key.length + 1));
  const colon = name.lastIndexOf(':');
  return normalisePath(name.slice(colon + 1));
}

function flowsOf(record: Record<string, unknown>): Location[][] | undefined {
  const flows = list(record.flows)
    .slice(0, LIMITS.flows)
    .map((flow) =>
      list(fields(flow).locations)
        .slice(0, LIMITS.flowSteps)
        .flatMap((step) => {
          const { component, textRange, msg } = fields(step);
          const place = placeOf({ component: component ?? record.component, project: record.project, textRange });
          return place === undefined ? [] : [defined({ ...place, message: label(msg) })];
        }),
    )
    .filter((flow) => flow.length > 0);
  return flows.length === 0 ? undefined : flows;
}

/** Newer versions rate by quality: `impacts: [{softwareQuality: "SECURITY", severity: "HIGH"}]`. */
function securityImpact(impacts: unknown): string | undefined {
  const all = list(impacts).map(fields);
  const impact = all.find((entry) => entry.softwareQuality === 'SECURITY') ?? all[0];
  return label(impact?.severity);
}

const probabilityOf = (word: string | undefined): Severity => severityFromWord(word) ?? 'informational';

/** What somebody decided in SonarQube. */
function settled(record: Record<string, unknown>): NormalizedFinding['suppressed'] {
  const decided = (label(record.resolution) ?? label(record.issueStatus) ?? label(record.status))?.toUpperCase();
  const reason = `${decided ?? ''} in SonarQube.`;
  if (decided === 'FALSE-POSITIVE' || decided === 'FALSE_POSITIVE' || decided === 'SAFE')
    return { verdict: 'false_positive', reason };
  if (decided === 'WONTFIX' || decided === 'ACCEPTED' || decided === 'ACKNOWLEDGED')
    return { verdict: 'accepted_risk', reason };
  if (decided === 'FIXED' || decided === 'REMOVED' || decided === 'CLOSED')
    return { verdict: 'mitigated_externally', reason };
  return undefined;
}

/** The weaknesses that a rule's text names behind "CWE". */
const cweText = (description: string | undefined): string[] =>
  description?.match(/\bCWE-\d{1,5}\b/g)?.slice(0, 20) ?? [];

/** `Filename: package:1.1.2 | Reference: CVE-2024-2590 | CVSS Score: 6.4 | Category: CWE-120 | What it is.` */
function dependencyOf(message: string) {
  const said = new Map(
    message
      .slice(0, 4_000)
      .split(' | ')
      .map((part) => {
        const [name = '', ...value] = part.split(': ');
        return [name, value.join(': ')] as const;
      }),
  );
  const file = label(said.get('Filename'));
  const score = number(said.get('CVSS Score'));
  const cvssScore = severityFromScore(score) === undefined ? undefined : score;
  const [name = '', version] = (file ?? '').split(':', 2);
  return {
    type: 'SCA' as const,
    ...identifiers(...identifiersIn(said.get('Reference') ?? '')),
    cwe: cweNumbers(said.get('Category')),
    cvssScore,
    component: name === '' ? undefined : defined({ name, version: label(version) }),
  };
}

export function ruleOf(value: unknown): Rule {
  const { name, htmlDesc } = fields(value);
  const html = text(htmlDesc);
  return defined({ name: text(name), description: html === undefined ? undefined : plainText(html) });
}

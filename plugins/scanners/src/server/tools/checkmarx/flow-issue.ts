import type { Location, NormalizedFinding } from '@breakwater/sdk';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list, text } from '../../lib/read.ts';
import { sastFinding, stepOf } from './sast.ts';
import { packageOf, scaFinding } from './sca.ts';
import { suppressionOf } from './state.ts';

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
    steps: stepsOf(path),
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
function stepsOf(path: Fields): Location[] {
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

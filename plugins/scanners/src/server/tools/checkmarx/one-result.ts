import type { FindingType, NormalizedFinding } from '@breakwater/sdk';
import { webAddresses } from '../../lib/findings/identifiers.ts';
import { imageName, normalisePath } from '../../lib/findings/packages.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { defined, fields, label, list, position, text } from '../../lib/values/read.ts';
import { sastFinding, stepsOf } from './sast.ts';
import { packageOf, scaFinding } from './sca.ts';
import { dateOf, type OneResult, severityOf, suppressionOf } from './schema.ts';

type Fields = Record<string, unknown>;

/** One result of Checkmarx One's command line or API; its `type` names the engine that found it. */
export function oneFinding(record: OneResult): NormalizedFinding {
  const result = fields(record);
  const data = fields(result.data);
  const engine = record.type.toLowerCase();
  const common = {
    severity: label(result.severity),
    description: text(result.description) ?? text(data.description),
    suppressed: suppressionOf(result.state, result.status, fields(result.comments).comments),
    date: dateOf(result.firstFoundAt) ?? dateOf(result.foundAt) ?? dateOf(result.created),
  };
  if (data.packageName !== undefined || data.packageIdentifier !== undefined || engine.startsWith('sca'))
    return packageResult(result, data, common);
  if (engine === 'sast') return codeResult(result, data, common);
  return checkResult(result, data, common);
}

interface Common {
  severity: string | undefined;
  description: string | undefined;
  suppressed: NormalizedFinding['suppressed'];
  date: string | undefined;
}

function codeResult(result: Fields, data: Fields, common: Common): NormalizedFinding {
  const name = label(data.queryName) ?? label(data.queryId) ?? 'unnamed query';
  return sastFinding({
    ...common,
    // The id of a query is larger than numbers are exact here; its name is as stable.
    ruleId: name,
    title: name,
    steps: stepsOf(data.nodes),
    cwe: fields(result.vulnerabilityDetails).cweId,
    group: label(data.group),
    language: label(data.languageName),
    similarityId: label(result.similarityId),
    tags: list(fields(result.vulnerabilityDetails).compliances)
      .map(label)
      .filter((tag) => tag !== undefined)
      .slice(0, 50),
  });
}

function packageResult(result: Fields, data: Fields, common: Common): NormalizedFinding {
  const details = fields(result.vulnerabilityDetails);
  const collection = fields(data.scaPackageData);
  const identifier = label(data.packageIdentifier) ?? label(collection.id);
  const component = packageOf(identifier, {
    name: label(data.packageName) ?? nameIn(collection.dependencyPaths, identifier),
    version: label(data.packageVersion),
  });
  const fixedVersion = versionOf(data.recommendedVersion);
  const image = label(data.imageName);
  const isContainer = image !== undefined || /container/i.test(label(result.type) ?? '');
  return scaFinding({
    ...common,
    id: label(result.id),
    cve: label(details.cveName),
    component: component === undefined ? undefined : defined({ ...component, fixedVersion }),
    type: isContainer ? 'Container' : label(result.scaType)?.startsWith('Supply') === true ? 'Supply chain' : 'SCA',
    score: details.cvssScore,
    scoreVersion: fields(details.cvss).version,
    cwe: details.cweId,
    mitigation: text(result.recommendations),
    files: [...list(collection.locations), data.imageFilePath],
    links: [list(data.packageData).map((entry) => fields(entry).url), collection.fixLink],
    resource: imageName(image),
    tags: collection.isDirectDependency === true ? ['direct'] : [],
  });
}

/** The name stands apart from the version in the paths that lead to the package. */
function nameIn(paths: unknown, identifier: string | undefined): string | undefined {
  for (const path of list(paths)) {
    const last = list(path)
      .map(fields)
      .find((step) => identifier !== undefined && step.id === identifier);
    if (last !== undefined) return label(last.name);
  }
  return undefined;
}

/** A text, or an object that holds one; empty when no version is safe. */
function versionOf(value: unknown): string | undefined {
  return label(value) ?? label(fields(value).version);
}

const MARKED = / \[Taken from [\w ]+\]$/;

function checkResult(result: Fields, data: Fields, common: Common): NormalizedFinding {
  const plain = (value: unknown) => label(value)?.replace(MARKED, '');
  const isSecret = /secret/i.test(label(result.type) ?? '');
  const isChain = /scorecard|sscs|repository/i.test(label(result.type) ?? '') && !isSecret;
  return checkFinding({
    ...common,
    ruleId: plain(data.queryId) ?? plain(data.ruleId) ?? plain(data.ruleName),
    title: plain(data.queryName) ?? plain(data.ruleName),
    type: isSecret ? 'Secrets' : isChain ? 'Supply chain' : label(result.type)?.startsWith('apisec') ? 'DAST' : 'IaC',
    description: common.description ?? text(data.ruleDescription),
    expected: text(data.expectedValue),
    // What a secret scanner found is the secret.
    actual: isSecret ? undefined : text(data.value),
    mitigation: text(data.remediation),
    category: plain(data.group),
    file: data.fileName ?? data.filename,
    line: data.line,
    similarityId: label(result.similarityId),
    links: [data.remediationLink],
    tags: [label(data.platform)],
  });
}

/** What every format says of a check that failed: of configuration (KICS), of the supply chain, of secrets. */
interface CheckFacts {
  ruleId: string | undefined;
  title: string | undefined;
  severity: string | undefined;
  type: FindingType;
  description?: string | undefined;
  expected?: string | undefined;
  actual?: string | undefined;
  mitigation?: string | undefined;
  category?: string | undefined;
  file?: unknown;
  line?: unknown;
  similarityId?: string | undefined;
  links?: readonly unknown[];
  suppressed?: NormalizedFinding['suppressed'];
  date?: string | undefined;
  tags?: readonly (string | undefined)[];
}

export function checkFinding(facts: CheckFacts): NormalizedFinding {
  const path = normalisePath(facts.file);
  const ruleId = facts.ruleId ?? facts.title ?? 'unnamed check';
  const tags = (facts.tags ?? []).filter((tag) => tag !== undefined);
  const found = facts.actual === undefined ? undefined : `Found: ${facts.actual}`;
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(facts.title ?? facts.description ?? ruleId),
    type: facts.type,
    severity: severityOf(facts.severity),
    nativeSeverity: facts.severity,
    description: paragraphs(facts.description, found),
    mitigation: facts.mitigation ?? (facts.expected === undefined ? undefined : `Expected: ${facts.expected}`),
    references: webAddresses(...(facts.links ?? [])),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(facts.line) })],
    fingerprint: facts.similarityId,
    policy: facts.category === undefined ? undefined : { category: facts.category },
    suppressed: facts.suppressed,
    date: facts.date,
    tags: tags.length === 0 ? undefined : tags,
  });
}

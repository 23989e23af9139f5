import type {
  FindingType,
  NormalizedFinding,
  ParseOptions,
  ReportInfo,
  ReportParser,
  ReportRecord,
} from '@breakwater/sdk';
import { lastingName, partOf, soughtTypes } from '../../lib/findings/coverage.ts';
import { imageName } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { headText } from '../../lib/input/decode.ts';
import { type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, type Made, type RecordReader, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, isRecord, label, list } from '../../lib/values/read.ts';
import type { RecordCheck } from '../../lib/values/schema.ts';
import { orSarif } from '../sarif/coverage.ts';
import { type JsonOrSarif, readJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import {
  OPERATOR_SHAPE,
  OperatorReports,
  operatorScore,
  RESOURCE_LISTS,
  type Resource,
  resourceCheck,
} from './operator.ts';
import { licenseFinding, misconfigurationFinding, modifiedFinding, secretFinding } from './other-findings.ts';
import {
  anyRecordCheck,
  type Field,
  misconfigurationCheck,
  modifiedFindingCheck,
  type Scan,
  type Target,
  targetOf,
  vulnerabilityCheck,
  type Workload,
  workloadCheck,
} from './target.ts';
import { createVulnerabilityReader, vulnerabilityFinding } from './vulnerability.ts';

/** Findings of a workload whose targets are parts of one record. */
export function* workloadFindings(
  results: readonly unknown[],
  owner: Record<string, unknown>,
  scan: Scan,
  tally: Tally,
): Generator<ReportRecord> {
  for (const result of results.map(fields)) {
    const target = targetOf(
      (name) => result[name],
      scan,
      (name) => owner[name],
    );
    yield* listed(tally, result.Vulnerabilities, vulnerabilityCheck, (record) => vulnerabilityFinding(record, target));
    yield* listed(tally, result.Misconfigurations, misconfigurationCheck, (r) => misconfigurationFinding(r, target));
    yield* listed(tally, result.Secrets, anyRecordCheck, (record) => secretFinding(record, target));
  }
}

export function* listed<T>(
  tally: Tally,
  value: unknown,
  check: RecordCheck<T>,
  normalise: (record: T) => NormalizedFinding | undefined,
): Generator<ReportRecord> {
  for (const record of list(value)) {
    if (!check.accepts(record)) {
      yield* tally.addUnreadable('a record of a workload', check.issue());
      continue;
    }
    const finding = normalise(record);
    if (finding !== undefined) yield finding;
  }
}

const TARGET: JsonShape = {
  Target: 'value',
  Class: 'value',
  Type: 'value',
  Vulnerabilities: 'records',
  Misconfigurations: 'records',
  Secrets: 'records',
  Licenses: 'records',
  ExperimentalModifiedFindings: 'records',
};
const WORKLOAD: JsonShape = { Namespace: 'value', Kind: 'value', Name: 'value', Results: { each: TARGET } };
/** One report, a target of the legacy list, a cluster's report, and lists of Trivy Operator in one: their field names do not clash. */
const SHAPE: JsonShape = {
  ...OPERATOR_SHAPE,
  ...TARGET,
  SchemaVersion: 'value',
  Trivy: 'value',
  CreatedAt: 'value',
  ArtifactName: 'value',
  ArtifactType: 'value',
  ClusterName: 'value',
  Results: { each: TARGET },
  Resources: { each: WORKLOAD },
  Findings: { each: WORKLOAD },
};
const SARIF = SARIF_WRITERS.trivy;
const NAME = SARIF.name;
/** The first layout was the bare list, null when nothing was found. */
const FORMAT: JsonOrSarif = { writer: SARIF, shape: SHAPE, writesNullLists: true, emptyForms: ['[]', 'null'] };

function recogniseTrivy(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'SchemaVersion') && (hasKeys(sketch, 'ArtifactName') || hasKeys(sketch, 'Results'))) return 0.98;
  if (hasKeys(sketch, 'ClusterName')) return 0.95;
  if (sketch.root === 'array' && hasKeys(sketch, 'Target', 'Vulnerabilities')) return 0.95;
  if (hasKeys(sketch, 'Target', 'Type') || innerHas(sketch, 'Results', 'Target')) return 0.85;
  if (hasKeys(sketch, 'ArtifactName', 'ArtifactType')) return 0.85;
  return operatorScore(sketch.keys, sketch.texts, headText(head)) || sarifScore(head, SARIF);
}

/** @throws ReportError */
const parseTrivy = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJsonOrSarif(report, options, FORMAT, (tally) => createTrivyReader(tally, options));

type Normalise<T> = (record: T, target: Target) => Made;
type ReaderOf = (node: JsonNode | undefined) => RecordReader<unknown> | typeof LATER;

function createTrivyReader(tally: Tally, { family }: ParseOptions): StreamReader {
  const records =
    <T>(check: RecordCheck<T>, normalise: Normalise<T>): ReaderOf =>
    (node) => {
      if (node === undefined) throw wrongTool(NAME, 'a part of it has neither “Results” nor “Target”');
      if (!isKnown(node)) return LATER;
      const target = targetOfNode(node, family);
      return { check, read: (record: T) => (target === undefined ? undefined : normalise(record, target)) };
    };
  /** The first cluster layout lists workloads under the names that elsewhere list findings. */
  const orWorkloads =
    (otherwise: ReaderOf): ReaderOf =>
    (node) => {
      if (node === undefined || node.parent !== undefined || !node.isClosed || !isCluster(node)) return otherwise(node);
      const scan = scanOf(node, family);
      const read = ({ Results, ...rest }: Workload) => workloadFindings(Results, fields(rest), scan, tally);
      return { check: workloadCheck, read };
    };
  const operator = new OperatorReports(tally);
  const resource = { check: resourceCheck, read: (found: Resource) => operator.findings(found) };
  const resources: ReaderOf = () => resource;
  let isInformed = false;
  return {
    lists: {
      ...Object.fromEntries(RESOURCE_LISTS.map((name) => [name, resources] as const)),
      report: resources,
      Vulnerabilities: orWorkloads(records(vulnerabilityCheck, createVulnerabilityReader())),
      Misconfigurations: orWorkloads(records(misconfigurationCheck, misconfigurationFinding)),
      Secrets: orWorkloads(records(anyRecordCheck, secretFinding)),
      Licenses: records(anyRecordCheck, licenseFinding),
      ExperimentalModifiedFindings: records(modifiedFindingCheck, modifiedFinding),
    },
    *document(document) {
      if (!isInformed) yield reportInfo(document);
      isInformed = true;
      yield* coverageOf(document);
    },
    *end() {
      if (!isInformed) yield { kind: 'report', toolName: NAME };
      yield* operator.coverage();
    },
  };
}

/**
 * True when nothing can come any more that changes what the records of a target mean. Trivy writes the facts of a scan and of a
 * target in front; layouts that leave some of them out are read at their end.
 */
function isKnown(target: JsonNode): boolean {
  const root = target.parent?.parent ?? target.parent;
  if (root === undefined) return target.isClosed;
  if (root.isClosed) return true;
  const isScan = root.values.has('ArtifactType') && root.values.has('ArtifactName') && target.parent === root;
  return isScan && (target.isClosed || ['Target', 'Class', 'Type'].every((name) => target.values.has(name)));
}

/** Undefined for lists in which a cluster's report has no findings. */
function targetOfNode(node: JsonNode, family: string | undefined): Target | undefined {
  const field: Field = (name) => node.values.get(name);
  const { parent } = node;
  if (parent === undefined) return isCluster(node) ? undefined : targetOf(field, scanOf(node, family));
  const root = parent.parent;
  if (root === undefined) return targetOf(field, scanOf(parent, family));
  return targetOf(field, scanOf(root, family), (name) => parent.values.get(name));
}

function isCluster(document: JsonNode): boolean {
  const { values, children } = document;
  return values.has('ClusterName') || ['Resources', 'Findings'].some((name) => children.get(name)?.length);
}

function scanOf(document: JsonNode, family: string | undefined): Scan {
  const isImage = document.values.get('ArtifactType') === 'container_image';
  const image = isImage ? imageName(label(document.values.get('ArtifactName'))) : undefined;
  return defined({ isImage, isCluster: isCluster(document), image, family });
}

function reportInfo(document: JsonNode): ReportInfo {
  const field: Field = (name) => document.values.get(name);
  const isImage = field('ArtifactType') === 'container_image';
  const trivy = field('Trivy');
  return defined({
    kind: 'report' as const,
    toolName: NAME,
    toolVersion: isRecord(trivy) ? label(trivy.Version) : undefined,
    target: isImage ? imageName(label(field('ArtifactName'))) : label(field('ClusterName')),
    date: isoDate(field('CreatedAt')),
  });
}

/** Kinds of findings by the class of a target, which is listed whether it has findings or not. */
const SOUGHT: ReadonlyMap<unknown, readonly FindingType[]> = new Map([
  ['os-pkgs', ['SCA', 'Container']],
  ['lang-pkgs', ['SCA', 'Container']],
  ['config', ['IaC', 'Configuration']],
  ['secret', ['Secrets']],
  ['license', ['License']],
]);

function* coverageOf(document: JsonNode): Generator<ReportRecord> {
  const isImage = document.values.get('ArtifactType') === 'container_image';
  if (!isImage) yield* partOf({ artifact: lastingName(document.values.get('ArtifactName')) });
  const targets = document.children.get('Results') ?? [];
  yield* soughtTypes(targets.flatMap(({ values }) => SOUGHT.get(values.get('Class')) ?? []));
}

export const trivy: ReportParser = {
  tool: 'trivy',
  formats: ['json', 'sarif'],
  reads: orSarif({
    part: {
      artifact: '`ArtifactName` that is no image, nor a checkout folder; kinds of findings by `Results[].Class`',
      workload: 'namespace, kind and name of the only resource of Trivy Operator',
      report: 'its `kind`; kinds of findings by that',
    },
    failure: [],
    identity: 'vulnerability and package; rule, path and resource; rule, path and secret',
  }),
  recognise: recogniseTrivy,
  parse: parseTrivy,
};

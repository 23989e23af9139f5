import type { NormalizedFinding, ParseOptions, ReportInfo, ReportRecord } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json-report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json-sketch.ts';
import { imageName } from '../../lib/paths.ts';
import { defined, fields, isRecord, label, list } from '../../lib/read.ts';
import { readRecords, type Tally, wrongTool } from '../../lib/records.ts';
import type { RecordCheck } from '../../lib/schema.ts';
import { parseJsonOrSarif, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { licenseFinding, misconfigurationFinding, modifiedFinding, secretFinding } from './other-findings.ts';
import {
  anyRecordCheck,
  misconfigurationCheck,
  modifiedFindingCheck,
  vulnerabilityCheck,
  workloadCheck,
} from './schema.ts';
import { type Field, type Scan, targetOf } from './target.ts';
import { vulnerabilityFinding } from './vulnerability.ts';

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
/** One report, a target of the legacy list, and a cluster's report in one: their field names do not clash. */
const SHAPE: JsonShape = {
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

export function recogniseTrivy(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'SchemaVersion') && (hasKeys(sketch, 'ArtifactName') || hasKeys(sketch, 'Results'))) return 0.98;
  if (hasKeys(sketch, 'ClusterName')) return 0.95;
  if (sketch.root === 'array' && hasKeys(sketch, 'Target', 'Vulnerabilities')) return 0.95;
  if (hasKeys(sketch, 'Target', 'Type') || innerHas(sketch, 'Results', 'Target')) return 0.85;
  return hasKeys(sketch, 'ArtifactName', 'ArtifactType') ? 0.85 : sarifScore(head, SARIF);
}

/** @throws ReportError */
export const parseTrivy = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> =>
  parseJsonOrSarif(report, options, { writer: SARIF, shape: SHAPE }, (json, tally) =>
    readTargets(json, tally, options),
  );

function* readTargets(json: JsonReport, tally: Tally, options: ParseOptions): Generator<ReportRecord> {
  const reader = new TrivyReader(json, tally, options);
  const [first] = json.documents;
  if (first !== undefined) yield reportInfo(first);
  for (const document of json.documents) yield* reader.document(document);
  if (json.loose.length > 0) throw wrongTool(NAME, undefined, 'a part of it has neither “Results” nor “Target”');
}

class TrivyReader {
  private readonly json: JsonReport;
  private readonly tally: Tally;
  private readonly options: ParseOptions;

  constructor(json: JsonReport, tally: Tally, options: ParseOptions) {
    this.json = json;
    this.tally = tally;
    this.options = options;
  }

  *document(document: JsonNode): Generator<ReportRecord> {
    const field: Field = (name) => document.values.get(name);
    const workloads = [...(document.children.get('Resources') ?? []), ...(document.children.get('Findings') ?? [])];
    const isCluster = document.values.has('ClusterName') || workloads.length > 0;
    const isImage = field('ArtifactType') === 'container_image';
    const image = isImage ? imageName(label(field('ArtifactName'))) : undefined;
    const scan: Scan = defined({ isImage, isCluster, image, family: this.options.family });
    const targets = document.children.get('Results') ?? [];
    for (const target of targets) yield* this.target(target, scan);
    for (const workload of workloads) {
      for (const target of workload.children.get('Results') ?? []) yield* this.target(target, scan, workload);
    }
    if (isCluster) yield* this.workloadRecords(document, scan);
    else yield* this.target(document, scan);
  }

  private *target(node: JsonNode, scan: Scan, workload?: JsonNode): Generator<ReportRecord> {
    const owner = workload === undefined ? undefined : (name: string) => workload.values.get(name);
    const target = targetOf((name) => node.values.get(name), scan, owner);
    yield* this.records(node, 'Vulnerabilities', vulnerabilityCheck, (record) => vulnerabilityFinding(record, target));
    yield* this.records(node, 'Misconfigurations', misconfigurationCheck, (r) => misconfigurationFinding(r, target));
    yield* this.records(node, 'Secrets', anyRecordCheck, (record) => secretFinding(record, target));
    yield* this.records(node, 'Licenses', anyRecordCheck, (record) => licenseFinding(record, target));
    yield* this.records(node, 'ExperimentalModifiedFindings', modifiedFindingCheck, (r) => modifiedFinding(r, target));
  }

  private *records<T>(
    node: JsonNode,
    list: string,
    check: RecordCheck<T>,
    normalise: (record: T) => Iterable<ReportRecord> | ReportRecord | undefined,
  ): Generator<ReportRecord> {
    const ranges = node.records.get(list);
    if (ranges === undefined) return;
    const { json: report, tally } = this;
    yield* readRecords({ report, ranges, list, check, tally, signal: this.options.signal }, normalise);
  }

  /** The first cluster layout lists workloads under the names that elsewhere list findings. */
  private *workloadRecords(document: JsonNode, scan: Scan): Generator<ReportRecord> {
    for (const list of ['Vulnerabilities', 'Misconfigurations', 'Secrets']) {
      yield* this.records(document, list, workloadCheck, (workload) =>
        this.workload(workload.Results, fields(workload), scan),
      );
    }
  }

  private *workload(results: readonly unknown[], owner: Record<string, unknown>, scan: Scan): Generator<ReportRecord> {
    for (const result of results.map(fields)) {
      const target = targetOf(
        (name) => result[name],
        scan,
        (name) => owner[name],
      );
      yield* this.listed(result.Vulnerabilities, vulnerabilityCheck, (record) => vulnerabilityFinding(record, target));
      yield* this.listed(result.Misconfigurations, misconfigurationCheck, (r) => misconfigurationFinding(r, target));
      yield* this.listed(result.Secrets, anyRecordCheck, (record) => secretFinding(record, target));
    }
  }

  private *listed<T>(
    value: unknown,
    check: RecordCheck<T>,
    normalise: (record: T) => NormalizedFinding | undefined,
  ): Generator<ReportRecord> {
    for (const record of list(value)) {
      if (!check.accepts(record)) {
        yield* this.tally.fault('a record of a workload', check.fault());
        continue;
      }
      const finding = normalise(record);
      if (finding !== undefined) yield finding;
    }
  }
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

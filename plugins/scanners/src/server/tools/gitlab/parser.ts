import type { Component, ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { PackageURL } from 'packageurl-js';
import { Type } from 'typebox';
import { normalisePath } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { readReport } from '../../lib/input/decode.ts';
import { isCheckmarxJson } from '../../lib/json/known-tools.ts';
import { readJsonReport, readRecords, Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonReport, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { defined, fields, label, list } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { ecosystemOf } from './location.ts';
import { type GitlabScan, vulnerabilityCheck, vulnerabilityFinding } from './vulnerability.ts';

const SHAPE: JsonShape = {
  version: 'value',
  vulnerabilities: 'records',
  scan: 'value',
  remediations: 'records',
  dependency_files: { each: { path: 'value', package_manager: 'value', dependencies: 'records' } },
};
const NAME = 'GitLab';

function recogniseGitlab(head: Uint8Array): number {
  if (isCheckmarxJson(head)) return 0;
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'scan', 'scanner') && hasKeys(sketch, 'vulnerabilities')) return 0.98;
  if (innerHas(sketch, 'vulnerabilities', 'identifiers', 'location')) return 0.95;
  if (hasKeys(sketch, 'category', 'identifiers', 'location')) return 0.9;
  return hasKeys(sketch, 'version', 'vulnerabilities') && hasKeys(sketch, 'remediations') ? 0.85 : 0;
}

/** @throws ReportError */
async function* parseGitlab(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const bytes = await readReport(report, options.signal);
  yield* readJsonReport(bytes, { name: NAME, shape: SHAPE }, (json, tally) => readReports(json, tally, options.signal));
}

function* readReports(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const source = { report: json, check: vulnerabilityCheck, tally, signal };
  for (const document of json.documents) {
    const ranges = document.records.get('vulnerabilities');
    if (ranges === undefined) throw wrongTool(NAME, undefined, 'it has no “vulnerabilities”');
    const scan = scanOf(document);
    yield reportInfo(scan.scan);
    yield* readRecords({ ...source, ranges, list: 'vulnerabilities' }, (record) => vulnerabilityFinding(record, scan));
    yield* dependenciesOf(json, document, signal);
  }
  // Before version 2 a report was the bare list.
  const none: GitlabScan = { scan: {}, ecosystems: new Map() };
  yield* readRecords({ ...source, ranges: json.loose, list: 'report' }, (record) => vulnerabilityFinding(record, none));
}

function scanOf(document: JsonNode): GitlabScan {
  const ecosystems = new Map<string, string>();
  for (const file of document.children.get('dependency_files') ?? []) {
    const path = normalisePath(file.values.get('path'));
    const ecosystem = ecosystemOf(file.values.get('package_manager'));
    if (path !== undefined && ecosystem !== undefined) ecosystems.set(path, ecosystem);
  }
  return { scan: fields(document.values.get('scan')), ecosystems };
}

function reportInfo(scan: Record<string, unknown>): ReportInfo {
  const scanner = fields(scan.scanner);
  return defined({
    kind: 'report' as const,
    toolName: label(scanner.name) ?? NAME,
    toolVersion: label(scanner.version),
    date: isoDate(scan.end_time) ?? isoDate(scan.start_time),
  });
}

export const gitlab: ReportParser = {
  tool: 'gitlab',
  formats: ['json'],
  recognise: recogniseGitlab,
  parse: parseGitlab,
};

/** One element of `dependency_files[].dependencies`. Source: security-report-schemas, dependency scanning 2.0 to 15.x. */
const Dependency = Type.Object({ package: Type.Object({ name: Type.String({ minLength: 1 }) }) });
const dependencyCheck = recordCheck(Dependency);

/** The packages that dependency scanning found in the lock files, each below its file. */
export function* dependenciesOf(json: JsonReport, document: JsonNode, signal: AbortSignal): Generator<ReportRecord> {
  const tally = new Tally();
  for (const [index, file] of (document.children.get('dependency_files') ?? []).entries()) {
    const ranges = file.records.get('dependencies');
    if (ranges === undefined) continue;
    const path = normalisePath(file.values.get('path')) ?? `dependency_files[${index}]`;
    const packages = new FilePackages(path, ecosystemOf(file.values.get('package_manager')));
    const listName = `dependency_files[${index}].dependencies`;
    const source = { report: json, ranges, list: listName, check: dependencyCheck, tally, signal };
    yield* readRecords(source, (dependency, at) => packages.add(fields(dependency), at));
    yield* packages.components();
  }
}

/** Packages of one file; what needs what is known when all of them are read. */
class FilePackages {
  private readonly found: Component[] = [];
  private readonly refs = new Map<string, Component>();
  private readonly parents: [child: Component, parent: string][] = [];
  private readonly path: string;
  private readonly ecosystem: string | undefined;

  constructor(path: string, ecosystem: string | undefined) {
    this.path = path;
    this.ecosystem = ecosystem;
  }

  add(dependency: Record<string, unknown>, index: number): undefined {
    const name = label(fields(dependency.package).name) ?? 'unnamed package';
    const version = label(dependency.version);
    const id = label(dependency.iid);
    const parent = label(fields(list(dependency.dependency_path).at(-1)).iid);
    const component: Component = defined({
      kind: 'component' as const,
      ref: `${this.path}#${id ?? `${name}@${version ?? ''}:${index}`}`,
      name,
      version,
      purl: purlOf(this.ecosystem, name, version),
      type: 'library',
      direct: typeof dependency.direct === 'boolean' ? dependency.direct : undefined,
    });
    this.found.push(component);
    if (id !== undefined) this.refs.set(id, component);
    if (parent !== undefined) this.parents.push([component, parent]);
  }

  /** The way to a package is written as its ancestors; the last of them needs it. */
  *components(): Generator<Component> {
    for (const [child, parent] of this.parents) {
      const needing = this.refs.get(parent);
      if (needing === undefined || needing === child) continue;
      needing.dependsOn ??= [];
      needing.dependsOn.push(child.ref);
    }
    yield* this.found;
  }
}

/** GitLab writes names as the package manager does: `group/artifact`, `@scope/name`, `github.com/owner/module`. */
function purlOf(ecosystem: string | undefined, written: string, version: string | undefined): string | undefined {
  if (ecosystem === undefined) return undefined;
  const parts = written.split(ecosystem === 'maven' ? /[/:]/ : '/');
  const name = parts.pop() ?? written;
  const namespace = parts.length === 0 ? undefined : parts.join('/');
  try {
    return new PackageURL(ecosystem, namespace, name, version).toString();
  } catch {
    // Without a group, for example, Maven has no package URL.
    return undefined;
  }
}

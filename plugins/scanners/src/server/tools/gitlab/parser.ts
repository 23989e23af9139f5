import type { Component, ParseOptions, ReportInfo, ReportParser, ReportRecord } from '@breakwater/sdk';
import { PackageURL } from 'packageurl-js';
import { Type } from 'typebox';
import { partOf, scanFailure, scanFailures } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode, JsonShape } from '../../lib/json/report.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { LATER, readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { defined, fields, label, list } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { isCheckmarxJson } from '../checkmarx/schema.ts';
import { ecosystemOf } from './location.ts';
import { type GitlabScan, type Vulnerability, vulnerabilityCheck, vulnerabilityFinding } from './vulnerability.ts';

const SHAPE: JsonShape = {
  version: 'value',
  vulnerabilities: 'records',
  scan: 'value',
  remediations: 'records',
  dependency_files: { each: { path: 'value', package_manager: 'value', dependencies: 'records' } },
};
const NAME = 'GitLab';
/** Before version 2 a report was the bare list. */
const FORMAT: JsonFormat = { name: NAME, shape: SHAPE, emptyForms: ['[]'] };

function recogniseGitlab(head: Uint8Array): number {
  if (isCheckmarxJson(head)) return 0;
  const sketch = sketchJson(head);
  if (innerHas(sketch, 'scan', 'scanner') && hasKeys(sketch, 'vulnerabilities')) return 0.98;
  if (innerHas(sketch, 'vulnerabilities', 'identifiers', 'location')) return 0.95;
  if (hasKeys(sketch, 'category', 'identifiers', 'location')) return 0.9;
  return hasKeys(sketch, 'version', 'vulnerabilities') && hasKeys(sketch, 'remediations') ? 0.85 : 0;
}

/** @throws ReportError */
const parseGitlab = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  readJson(report, options, FORMAT, createReader);

function createReader(): StreamReader {
  const files = new Map<JsonNode, FilePackages>();
  const none: GitlabScan = { scan: {}, ecosystems: new Map() };
  return {
    lists: {
      vulnerabilities: (document) => {
        if (document?.isClosed === false) return LATER;
        const scan = document === undefined ? none : scanOf(document);
        return { check: vulnerabilityCheck, read: (found: Vulnerability) => vulnerabilityFinding(found, scan) };
      },
      report: () => ({ check: vulnerabilityCheck, read: (found: Vulnerability) => vulnerabilityFinding(found, none) }),
      dependencies: (file) => {
        if (file === undefined || !file.isClosed) return LATER;
        const packages = files.get(file) ?? packagesOf(file);
        files.set(file, packages);
        const read = (dependency: object, index: number) => packages.add(fields(dependency), index);
        return { check: dependencyCheck, read, isSupplement: true };
      },
    },
    *document(document) {
      if (!document.lists.has('vulnerabilities')) throw wrongTool(NAME, 'it has no “vulnerabilities”');
      yield reportInfo(fields(document.values.get('scan')));
      yield* coverageOf(fields(document.values.get('scan')));
      for (const file of document.children.get('dependency_files') ?? []) yield* files.get(file)?.components() ?? [];
      files.clear();
    },
  };
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

function* coverageOf(scan: Record<string, unknown>): Generator<ReportRecord> {
  yield* partOf({ scan: label(scan.type), scanner: label(fields(scan.scanner).id) });
  const status = label(scan.status);
  if (status !== undefined && status !== 'success') yield scanFailure(`The scan ended with status “${status}”.`);
  yield* scanFailures(scan.messages, ({ level, value }) =>
    level === 'error' || level === 'fatal' ? label(value) : undefined,
  );
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
  reads: {
    part: { scan: '`scan.type`', scanner: '`scan.scanner.id`' },
    failure: ['`scan.status` is not `success`', '`scan.messages[].level` is `error` or `fatal`'],
    identity: 'rule, path and code; vulnerability and package; rule and address',
  },
  recognise: recogniseGitlab,
  parse: parseGitlab,
};

/** One element of `dependency_files[].dependencies`. Source: security-report-schemas, dependency scanning 2.0 to 15.x. */
const Dependency = Type.Object({ package: Type.Object({ name: Type.String({ minLength: 1 }) }) });
const dependencyCheck = recordCheck(Dependency);

/** The packages that dependency scanning found in a lock file. */
const packagesOf = (file: JsonNode): FilePackages =>
  new FilePackages(
    normalisePath(file.values.get('path')) ?? file.path,
    ecosystemOf(file.values.get('package_manager')),
  );

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

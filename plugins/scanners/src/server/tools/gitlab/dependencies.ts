import type { Component, ReportRecord } from '@breakwater/sdk';
import { PackageURL } from 'packageurl-js';
import { Type } from 'typebox';
import type { JsonNode, JsonReport } from '../../lib/json-report.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, list } from '../../lib/read.ts';
import { readRecords, Tally } from '../../lib/records.ts';
import { recordCheck } from '../../lib/schema.ts';
import { ecosystemOf } from './location.ts';

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

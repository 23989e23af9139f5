import { glob } from 'node:fs/promises';
import path from 'node:path';
import { cruise, type ICruiseResult, type IModule } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { checkTables } from './check-tables.ts';
import type { Issue } from './checks.ts';

const CONFIGURATION = path.join(import.meta.dirname, '../.dependency-cruiser.cjs');
const WORKSPACES = ['sdk', 'core', 'host-server', 'app', 'cli', 'plugins', 'e2e', 'benchmarks', 'tools'];
const NOT_SOURCE = /(^|\/)(node_modules|__fixtures__|dist)\//;
const TEST = /\.test\.tsx?$|\.test-d\.ts$|\/__fixtures__\/|^(?:core|app)\/src\/testing\//;
const SLICE = /^(?:\.\.\/)*core\/src\/([^/]+)\//;
/** The shell holds the slices' screens and serves them a frame; platform is below them all and has a rule of its own. */
const NOT_A_SLICE = new Set(['shell', 'platform', 'testing']);

export interface BoundaryOptions {
  /** Folder the rules' paths are relative to. */
  root: string;
  /** Folders to cruise; those that do not exist are left out. */
  folders?: readonly string[];
}

export interface BoundaryResult {
  issues: Issue[];
  /** How many files of ours were read. */
  cruised: number;
}

const sourceFiles = async (root: string, folders: readonly string[]): Promise<string[]> => {
  const files: string[] = [];
  const patterns = folders.map((folder) => `${folder}/**/*.{ts,tsx}`);
  for await (const file of glob(patterns, { cwd: root, exclude: (name) => NOT_SOURCE.test(`${name}/`) })) {
    if (!file.endsWith('.d.ts')) files.push(file);
  }
  return files.sort();
};

const sliceOf = (file: string): string | undefined => {
  const slice = SLICE.exec(file)?.[1];
  return slice === undefined || NOT_A_SLICE.has(slice) ? undefined : slice;
};

/** Which slice imports which, each with one import that shows it. */
const sliceGraph = (modules: readonly IModule[]): Map<string, Map<string, string>> => {
  const graph = new Map<string, Map<string, string>>();
  for (const module of modules) {
    const from = sliceOf(module.source);
    if (from === undefined || TEST.test(module.source)) continue;
    const targets = graph.get(from) ?? new Map<string, string>();
    graph.set(from, targets);
    for (const dependency of module.dependencies) {
      const to = sliceOf(dependency.resolved);
      if (to !== undefined && to !== from) targets.set(to, `${module.source} → ${dependency.resolved}`);
    }
  }
  return graph;
};

/** Each cycle between slices once, found by depth-first search from every slice. */
const sliceCycles = (graph: ReadonlyMap<string, ReadonlyMap<string, string>>): Issue[] => {
  const issues = new Map<string, Issue>();
  const walk = (slice: string, trail: readonly string[]): void => {
    const start = trail.indexOf(slice);
    if (start >= 0) {
      const cycle = trail.slice(start);
      const key = [...cycle].sort().join(' ');
      const steps = cycle.map((from, index) => graph.get(from)?.get(cycle[index + 1] ?? slice) ?? from);
      if (!issues.has(key))
        issues.set(key, { where: [...cycle, slice].join(' → '), what: `slice-cycle: ${steps.join('; ')}` });
      return;
    }
    for (const next of graph.get(slice)?.keys() ?? []) walk(next, [...trail, slice]);
  };
  for (const slice of [...graph.keys()].sort()) walk(slice, []);
  return [...issues.values()];
};

const cruiseFolder = async (root: string, folders: readonly string[]): Promise<ICruiseResult> => {
  const options = await extractDepcruiseOptions(CONFIGURATION);
  const result = await cruise([...folders], { ...options, baseDir: root, validate: true });
  if (typeof result.output === 'string') throw new Error('dependency-cruiser answered with text instead of a result');
  return result.output;
};

/**
 * Checks the import rule of ARCHITECTURE.md. A source file that was not read is an error too: a tool that finds no
 * modules would else report that all is well.
 */
export const checkBoundaries = async (options: BoundaryOptions): Promise<BoundaryResult> => {
  const files = await sourceFiles(options.root, options.folders ?? WORKSPACES);
  const folders = [...new Set(files.map((file) => file.split('/')[0] ?? file))];
  const result = await cruiseFolder(options.root, folders);
  const cruised = new Set(result.modules.map((module) => module.source));
  const unread = files.filter((file) => !cruised.has(file));
  return {
    cruised: files.length - unread.length,
    issues: [
      ...unread.map((file) => ({ where: file, what: 'not-read: the import check did not see this file' })),
      ...result.summary.violations.map((violation) => ({
        where: violation.from,
        what: `${violation.rule.name}: imports ${violation.to}`,
      })),
      ...sliceCycles(sliceGraph(result.modules)),
      ...(await checkTables(options.root)),
    ],
  };
};

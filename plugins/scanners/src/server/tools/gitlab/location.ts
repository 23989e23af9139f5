import type { AffectedComponent, Location } from '@breakwater/sdk';
import { imageName, normalisePath } from '../../lib/findings/packages.ts';
import { LIMITS } from '../../lib/limits.ts';
import { defined, fields, label, list, position } from '../../lib/values/read.ts';

type Fields = Record<string, unknown>;

/** Package managers of GitLab's dependency scanning, by the type of their package URLs. */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['go', 'golang'],
  ['npm', 'npm'],
  ['yarn', 'npm'],
  ['pnpm', 'npm'],
  ['pip', 'pypi'],
  ['pipenv', 'pypi'],
  ['poetry', 'pypi'],
  ['setuptools', 'pypi'],
  ['bundler', 'gem'],
  ['maven', 'maven'],
  ['gradle', 'maven'],
  ['sbt', 'maven'],
  ['composer', 'composer'],
  ['nuget', 'nuget'],
  ['conan', 'conan'],
]);

export function ecosystemOf(packageManager: unknown): string | undefined {
  return ECOSYSTEMS.get(label(packageManager)?.toLowerCase() ?? '');
}

/** A file, or the address that was tested. */
export function locationOf(location: Fields): Location | undefined {
  const path = normalisePath(location.file) ?? address(location);
  if (path === undefined) return undefined;
  return defined({
    path,
    startLine: position(location.start_line),
    endLine: position(location.end_line),
    message: requestOf(location),
  });
}

function address(location: Fields): string | undefined {
  const host = label(location.hostname);
  return host === undefined ? undefined : normalisePath(`${host}${label(location.path) ?? ''}`);
}

/** Request of a dynamic test: `GET id`. */
function requestOf(location: Fields): string | undefined {
  const parts = [label(location.method), label(location.param)].filter((part) => part !== undefined);
  return location.hostname === undefined || parts.length === 0 ? undefined : parts.join(' ');
}

/** The image, or the object of a cluster that runs it. */
export function resourceOf(location: Fields): string | undefined {
  const object = fields(location.kubernetes_resource);
  const names = [object.namespace, object.kind, object.name].map(label).filter((part) => part !== undefined);
  return names.length > 0 ? names.join('/') : imageName(label(location.image));
}

export function componentOf(location: Fields, solution: string | undefined, ecosystem: string | undefined) {
  const dependency = fields(location.dependency);
  const name = label(fields(dependency.package).name);
  if (name === undefined) return undefined;
  const version = label(dependency.version);
  const component: AffectedComponent = defined({ name, version, fixedVersion: fixedVersion(solution), ecosystem });
  return component;
}

/** GitLab writes the fixed version only into a sentence. */
function fixedVersion(solution: string | undefined): string | undefined {
  const match =
    /^Upgrade \S+ from \S+ to (\S+?)[.,]?$/i.exec(solution ?? '') ??
    /^Upgrade to versions? (.{1,200}?) or (?:above|later|higher)/i.exec(solution ?? '');
  return label(match?.[1]);
}

/** Steps of Advanced SAST. */
export function codeFlowsOf(details: unknown): Location[][] | undefined {
  const flows = list(fields(fields(details).code_flows).items)
    .slice(0, LIMITS.flows)
    .map((flow) => list(flow).slice(0, LIMITS.flowSteps).flatMap(stepOf))
    .filter((steps) => steps.length > 0);
  return flows.length === 0 ? undefined : flows;
}

function stepOf(value: unknown): Location[] {
  const step = fields(value);
  const place = fields(step.file_location);
  const path = normalisePath(place.file_name);
  if (path === undefined) return [];
  const message = label(step.node_type);
  return [defined({ path, startLine: position(place.line_start), endLine: position(place.line_end), message })];
}

import type { Component, NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { defined, fields, label } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const Text = Type.String({ minLength: 1 });
const Optional = Type.Optional(Type.String());

/**
 * A row of `security.csv`. Source: Black Duck project version reports; the columns were renamed in 2019 (`project name`
 * became `component name`) and later ones were added. Names of columns are lower case here.
 */
export const SecurityRow = Type.Object({ 'vulnerability id': Text, 'security risk': Optional });
export type SecurityRow = Static<typeof SecurityRow>;
export const securityCheck = recordCheck(SecurityRow);

/** A row of Black Duck Binary Analysis's vulnerability export. */
export const BinaryRow = Type.Object({ component: Text, cve: Optional });
export type BinaryRow = Static<typeof BinaryRow>;
export const binaryCheck = recordCheck(BinaryRow);

/** A row of `components.csv`. */
const ComponentRow = Type.Object({ 'component name': Text });
type ComponentRow = Static<typeof ComponentRow>;
export const componentCheck = recordCheck(ComponentRow);

/** A row of `source.csv` or `files.csv`: where a component was found. */
const SourceRow = Type.Object({ path: Text });
export const sourceCheck = recordCheck(SourceRow);

type Row = Record<string, unknown>;

/** A row of `components.csv`: the component, and a finding when its licence is a risk or it violates a policy. */
export function* componentRecords(record: ComponentRow): Generator<ReportRecord> {
  const row = fields(record);
  const known = packageOf(row);
  if (known === undefined) return;
  const licenses = licensesOf(row);
  const keys = [cell(row, 'component id'), cell(row, 'version id'), cell(row, 'origin id')];
  const component: Component = defined({
    kind: 'component' as const,
    ref: keys.filter((key) => key !== undefined).join('/') || `${known.name}@${known.version ?? ''}`,
    name: known.name,
    version: known.version,
    licenses: licenses.length === 0 ? undefined : licenses,
  });
  yield component;
  const finding = riskFinding(row, component, known.ecosystem);
  if (finding !== undefined) yield finding;
}

function licensesOf(row: Row): string[] {
  const names = cell(row, 'license names', 'license name') ?? '';
  return [...new Set(names.split(/;|,(?=\s*[A-Z(])/).map(label))].filter((name) => name !== undefined);
}

function riskFinding(row: Row, component: Component, ecosystem: string | undefined): NormalizedFinding | undefined {
  const risk = cell(row, 'license risk');
  const isViolation = /^in.violation$/i.test(cell(row, 'component policy status', 'policy status') ?? '');
  const isRisk = /^(?:critical|high|medium|low)$/i.test(risk ?? '');
  if (!isViolation && !isRisk) return undefined;
  const licenses = component.licenses?.join(', ') ?? 'unknown licence';
  const { name, version } = component;
  const families = cell(row, 'license families');
  const what = isViolation ? 'Policy violation' : 'License risk';
  return defined({
    kind: 'finding' as const,
    ruleId: isViolation ? 'policy-violation' : 'license-risk',
    title: oneLine(`${what}: ${name} (${licenses})`),
    type: 'License' as const,
    severity: isViolation ? ('high' as const) : (severityFromWord(risk) ?? ('low' as const)),
    nativeSeverity: isRisk ? risk : undefined,
    description: paragraphs(
      families === undefined ? undefined : `Licence families: ${families}`,
      cell(row, 'usage') === undefined ? undefined : `Usage: ${cell(row, 'usage')}`,
    ),
    component: defined({ name, version, ecosystem }),
    policy: isViolation ? { name: 'Black Duck policy' } : undefined,
  });
}

/** Black Duck's names of package registries, by the type of their package URLs. */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['maven', 'maven'],
  ['npmjs', 'npm'],
  ['npm', 'npm'],
  ['pypi', 'pypi'],
  ['rubygems', 'gem'],
  ['nuget', 'nuget'],
  ['golang', 'golang'],
  ['crates', 'cargo'],
  ['cocoapods', 'cocoapods'],
  ['packagist', 'composer'],
  ['conan', 'conan'],
  ['hex', 'hex'],
  ['debian', 'deb'],
  ['ubuntu', 'deb'],
  ['alpine', 'apk'],
  ['centos', 'rpm'],
  ['redhat', 'rpm'],
  ['fedora', 'rpm'],
  ['opensuse', 'rpm'],
  ['github', 'github'],
]);

/** The first column that is there and not empty: older reports name them otherwise. */
export function cell(row: Row, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = label(row[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

interface Package {
  name: string;
  version?: string;
  ecosystem?: string;
}

/**
 * The package of a row: as its registry names it (`org.apache.velocity:velocity`) where the origin says so, else as
 * Black Duck names the project behind it (`Apache Velocity`).
 */
export function packageOf(row: Row): Package | undefined {
  const project = cell(row, 'component name', 'project name');
  const version = cell(
    row,
    'component origin version name',
    'channel version origin name',
    'component version name',
    'version',
  );
  const origin = cell(row, 'component origin name', 'channel version origin', 'origin name')?.toLowerCase();
  const id = cell(row, 'component origin id', 'channel version origin id', 'origin name id', 'origin id');
  const name = id === undefined ? undefined : nameIn(id, version);
  const found = name ?? project;
  if (found === undefined) return undefined;
  const ecosystem = name === undefined ? undefined : ECOSYSTEMS.get(origin ?? '');
  return defined({ name: found, version, ecosystem });
}

/** `group:artifact:1.7`, `@scope/name/1.0`, `openssl/1.1.0-1/amd64`. Ids without the version are only keys. */
function nameIn(id: string, version: string | undefined): string | undefined {
  if (version === undefined) return undefined;
  const at = Math.max(id.lastIndexOf(`:${version}`), id.lastIndexOf(`/${version}`));
  const rest = at > 0 ? id.slice(at + 1 + version.length) : '-';
  return at > 0 && (rest === '' || rest.startsWith('/')) ? id.slice(0, at) : undefined;
}

// no text in this file: what findings say is stored in English
import type { AffectedComponent, FindingType, Location, NormalizedFinding } from '@breakwater/sdk';
import { cweNumbers, identifiers, identifiersIn, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { firstSentence, oneLine } from '../../lib/findings/text.ts';
import { defined, label, list, number } from '../../lib/values/read.ts';

/** What every format says of a vulnerable package. */
export interface ScaFacts {
  id: string | undefined;
  cve?: string | undefined;
  severity: string | undefined;
  component: AffectedComponent | undefined;
  type?: FindingType;
  score?: unknown;
  scoreVersion?: unknown;
  cwe?: unknown;
  description?: string | undefined;
  mitigation?: string | undefined;
  files?: readonly unknown[];
  links?: readonly unknown[];
  resource?: string | undefined;
  suppressed?: NormalizedFinding['suppressed'];
  date?: string | undefined;
  tags?: readonly string[];
}

export function scaFinding(facts: ScaFacts): NormalizedFinding {
  const { component } = facts;
  const id = facts.cve ?? facts.id ?? 'unnamed vulnerability';
  const points = number(facts.score);
  const rating = chooseCvss([cvss(label(facts.scoreVersion) ?? '3', points === 0 ? undefined : points, undefined)]);
  const severity = vulnerabilitySeverity(facts.severity, rating.cvssScore);
  const locations = locationsOf(facts.files);
  const fixed = component?.fixedVersion;
  return defined({
    kind: 'finding' as const,
    ruleId: id,
    title: titleOf(id, component, facts.description),
    type: facts.type ?? 'SCA',
    severity,
    nativeSeverity: facts.severity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: facts.description,
    mitigation: facts.mitigation ?? (fixed === undefined ? undefined : `Upgrade ${component?.name} to ${fixed}.`),
    cwe: cweNumbers(facts.cwe),
    ...identifiers(...idsOf(id, facts.id)),
    ...rating,
    references: webAddresses(...(facts.links ?? [])),
    component,
    locations: locations.length === 0 ? undefined : locations,
    resource: facts.resource,
    suppressed: facts.suppressed,
    date: facts.date,
    tags: facts.tags === undefined || facts.tags.length === 0 ? undefined : [...facts.tags],
  });
}

/** Ids of vulnerability databases; a digest that only this server knows is none. */
function idsOf(...ids: readonly (string | undefined)[]): string[] {
  return ids.flatMap((id) => (id === undefined ? [] : /^Cx[0-9a-f-]{6,}$/i.test(id) ? [id] : identifiersIn(id)));
}

function titleOf(id: string, component: AffectedComponent | undefined, description: string | undefined): string {
  const summary = description === undefined ? undefined : firstSentence(description);
  if (summary !== undefined) return oneLine(`${id}: ${summary}`);
  return oneLine(component === undefined ? id : `${id} in ${component.name}`);
}

function locationsOf(files: readonly unknown[] | undefined): Location[] {
  const paths = list(files)
    .map(normalisePath)
    .filter((path) => path !== undefined);
  return [...new Set(paths)].map((path) => ({ path }));
}

/** Package managers as Checkmarx names them, by the type of their package URLs. */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['maven', 'maven'],
  ['gradle', 'maven'],
  ['python', 'pypi'],
  ['pypi', 'pypi'],
  ['nuget', 'nuget'],
  ['ruby', 'gem'],
  ['rubygems', 'gem'],
  ['php', 'composer'],
  ['composer', 'composer'],
  ['go', 'golang'],
  ['rust', 'cargo'],
  ['cargo', 'cargo'],
  ['ios', 'cocoapods'],
  ['cocoapods', 'cocoapods'],
  ['swift', 'swift'],
]);

export function ecosystemOf(manager: string | undefined): string | undefined {
  return ECOSYSTEMS.get(manager?.toLowerCase() ?? '');
}

interface Known {
  name?: string | undefined;
  version?: string | undefined;
}

/**
 * Package of an identifier like `Maven-com.thoughtworks.xstream:xstream-1.4.5`. Both names and versions may hold
 * hyphens and numbers, so what is known from elsewhere is used first.
 */
export function packageOf(identifier: string | undefined, known: Known = {}): AffectedComponent | undefined {
  const [, manager, rest = ''] = /^([A-Za-z]+)-(.+)$/.exec(identifier ?? '') ?? [];
  const ecosystem = ecosystemOf(manager);
  const { version } = known;
  if (known.name !== undefined && !/^[A-Za-z]+-/.test(known.name)) {
    const end = rest.startsWith(`${known.name}-`) ? label(rest.slice(known.name.length + 1)) : undefined;
    return defined({ name: known.name, version: version ?? end, ecosystem });
  }
  if (rest === '') return known.name === undefined ? undefined : defined({ name: known.name, version });
  if (version !== undefined && rest.endsWith(`-${version}`)) {
    return defined({ name: rest.slice(0, -version.length - 1), version, ecosystem });
  }
  // The first number after a hyphen begins the version, unless another name follows it (log4j-1.2-api-2.17).
  for (const match of rest.matchAll(/-(?=v?\d)/g)) {
    const end = rest.slice(match.index + 1);
    if (match.index > 0 && !/-[A-Za-z][\w.]*-v?\d/.test(end)) {
      return defined({ name: rest.slice(0, match.index), version: version ?? end, ecosystem });
    }
  }
  return defined({ name: rest, version, ecosystem });
}

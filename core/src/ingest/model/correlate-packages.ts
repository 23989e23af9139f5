import { CERTAINTY, type Correlation } from './correlate.ts';
import { classesBy, correlatePlaces } from './correlate-places.ts';
import { artefactPath, normaliseResource } from './identity.ts';

/** A vulnerability of a package as far as it tells whether another one is the same. */
export interface PackageResult {
  id: string;
  tool: string;
  /** Name and version of the package. */
  packageKey: string;
  cve: string | null;
  ruleId: string;
  aliases: readonly string[];
  path: string | null;
  /** Image or object that holds the package, as the tool names it. */
  resource: string | null;
}

const CVE = /^CVE-\d{4}-\d+$/;
/**
 * Databases that give each vulnerability a name of its own. An advisory of a vendor (RHSA, DSA, USN, ALAS …) lists several: that two
 * results name it makes them no more than neighbours. Source: https://ossf.github.io/osv-schema/#id-modified-fields (22 November 2026).
 */
const VULNERABILITY = /^(?:BDSA|EUVD|GHSA|GMS|GO|MAL|OSV|PYSEC|RUSTSEC|SNYK)-/;

interface Names {
  /** All CVEs of the result, the one it is listed under first; '' without any. */
  cves: string;
  /** Other names of the very vulnerability. */
  names: readonly string[];
}

const namesOf = ({ cve, ruleId, aliases }: PackageResult): Names => {
  const all = [...new Set([cve ?? ruleId, ruleId, ...aliases].map((name) => name.toUpperCase()))];
  const [first, ...others] = all.filter((name) => CVE.test(name));
  const names = all.filter((name, index) => !CVE.test(name) && (index === 0 || VULNERABILITY.test(name)));
  return { cves: first === undefined ? '' : [first, ...others.sort()].join(' '), names };
};

/** Results without a CVE by the names that they share, directly or by another one's. */
const clustersOf = <Item extends Names>(items: readonly Item[]): Item[][] => {
  const clusters = new Map<string, Set<Item>>();
  for (const item of items) {
    const joined = new Set([item, ...item.names.flatMap((name) => [...(clusters.get(name) ?? [])])]);
    for (const member of joined) for (const name of member.names) clusters.set(name, joined);
  }
  return [...new Set(clusters.values())].map((cluster) => [...cluster]);
};

/**
 * Results of one package by vulnerability. Different CVEs are different vulnerabilities whatever else they share; a result without a CVE
 * is that of the only one that shares a name with it.
 */
const groupByVulnerability = (results: readonly PackageResult[]): PackageResult[][] => {
  const named = results.map((result) => ({ result, ...namesOf(result) }));
  const withCve = Map.groupBy(
    named.filter((of) => of.cves !== ''),
    (of) => of.cves,
  );
  const cvesByName = new Map<string, Set<string>>();
  for (const { cves, names } of named) {
    if (cves === '') continue;
    for (const name of names.filter((one) => VULNERABILITY.test(one))) {
      cvesByName.set(name, (cvesByName.get(name) ?? new Set()).add(cves));
    }
  }
  const groups = new Map([...withCve].map(([cves, of]) => [cves, of.map((one) => one.result)]));
  const others: PackageResult[][] = [];
  for (const cluster of clustersOf(named.filter((of) => of.cves === ''))) {
    const cves = new Set(cluster.flatMap((of) => of.names.flatMap((name) => [...(cvesByName.get(name) ?? [])])));
    const [only] = cves;
    const group = cves.size === 1 && only !== undefined ? groups.get(only) : undefined;
    if (group === undefined) others.push(cluster.map((of) => of.result));
    else group.push(...cluster.map((of) => of.result));
  }
  return [...groups.values(), ...others];
};

/** Folders that package managers unpack into: what lies there belongs to the project around it. */
const UNPACKED: readonly string[] = [
  ...['node_modules', 'bower_components', 'vendor', 'site-packages', 'dist-packages', '.venv', 'venv'],
];

/** `web` of `web/package-lock.json` and of `web/node_modules/a/package.json`. */
const projectOf = (path: string): string => {
  const folders = path.split('/').slice(0, -1);
  const unpacked = folders.findIndex((folder) => UNPACKED.includes(folder));
  return folders.slice(0, unpacked < 0 ? folders.length : unpacked).join('/');
};

interface PackagePlace extends PackageResult {
  file: string;
  artefact: string;
}

const placeOf = (result: PackageResult): PackagePlace => ({
  ...result,
  file: artefactPath(result.path ?? '').replace(/^\/+/, ''),
  artefact: normaliseResource(result.resource ?? ''),
});

/** What one tool lists in two places are two results; another tool may name the lock file, the unpacked package or only the image. */
const compare = (a: PackagePlace, b: PackagePlace): Correlation['certainty'] | null => {
  if (a.tool === b.tool || (a.artefact !== '' && b.artefact !== '' && a.artefact !== b.artefact)) return null;
  if (a.file === b.file) return a.artefact === b.artefact ? CERTAINTY.certain : CERTAINTY.likely;
  const isOneArtefact = a.artefact !== '' && a.artefact === b.artefact;
  const isOneProject = a.file === '' || b.file === '' || projectOf(a.file) === projectOf(b.file);
  return isOneArtefact || isOneProject ? CERTAINTY.likely : null;
};

const distinctBy = (of: PackagePlace): string => JSON.stringify([of.tool, of.file, of.artefact]);

/** Whether a result is listed under a CVE. */
export const isListedByCve = ({ cve }: Pick<PackageResult, 'cve'>): boolean =>
  cve !== null && CVE.test(cve.toUpperCase());

/** Which results say the same: one vulnerability of one package and version, in one file or image. */
export const packageCorrelations = (results: readonly PackageResult[]): Correlation[] =>
  [...Map.groupBy(results, (of) => of.packageKey).values()]
    .flatMap(groupByVulnerability)
    .flatMap((group) => correlatePlaces(classesBy(group.map(placeOf), distinctBy), { isRelated: () => true, compare }));

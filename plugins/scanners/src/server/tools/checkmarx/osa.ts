import type { NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import type { Tally } from '../../lib/json/records.ts';
import { defined, fields, label, list, text } from '../../lib/values/read.ts';
import { ecosystemOf, packageOf, scaFinding } from './sca.ts';
import { type OsaVulnerability, osaVulnerabilityCheck, suppressionOf } from './schema.ts';

type Fields = Record<string, unknown>;

/** CxOSA writes vulnerabilities and libraries into two files, which people join as `[[vulnerabilities], [libraries]]`. */
export function* osaFindings(lists: readonly (readonly unknown[])[], tally: Tally): Generator<ReportRecord> {
  const libraries = new Map<string, Fields>();
  for (const library of lists.filter(isLibraryList).flat().map(fields)) {
    const id = label(library.id);
    if (id !== undefined) libraries.set(id, library);
  }
  for (const part of lists) {
    if (isLibraryList(part)) continue;
    for (const [index, record] of part.entries()) {
      if (!osaVulnerabilityCheck.accepts(record)) {
        yield* tally.addUnreadable(`vulnerabilities[${index}]`, osaVulnerabilityCheck.issue());
        continue;
      }
      tally.readable += 1;
      const id = label(fields(record).libraryId);
      yield osaFinding(record, fields(id === undefined ? undefined : libraries.get(id)));
    }
  }
}

/** Libraries count their vulnerabilities; a vulnerability has a severity of its own. */
function isLibraryList([first]: readonly unknown[]): boolean {
  if (first === undefined) return true;
  const { severity, name } = fields(first);
  return severity === undefined && name !== undefined;
}

/** A vulnerability; where its library is not known, the file that it was found in tells the place. */
export function osaFinding(record: OsaVulnerability, library: Fields): NormalizedFinding {
  const source = fields(record);
  const name = label(library.name);
  const fixedVersion = upgradeOf(source.recommendations);
  return scaFinding({
    id: label(source.id),
    cve: label(source.cveName),
    severity: label(fields(source.severity).name) ?? label(source.severity),
    component: name === undefined ? undefined : defined({ name, version: label(library.version), fixedVersion }),
    score: source.score,
    description: text(source.description),
    mitigation: text(source.recommendations),
    files: [source.sourceFileName],
    links: [source.url],
    suppressed: suppressionOf(fields(source.state).name ?? source.state, undefined, undefined),
  });
}

/** "Upgrade to 2.10.5.1", "Upgrade to version a 1.0, b 2.0". */
function upgradeOf(value: unknown): string | undefined {
  return /^Upgrade to(?: version)? ([\w.+-]+)$/i.exec(label(value) ?? '')?.[1];
}

/** The packages of a risk report, which stand apart from the vulnerabilities, by their ids. */
export class RiskPackages {
  private readonly packages = new Map<string, Fields>();

  keep(value: unknown): void {
    const entry = fields(value);
    const id = label(entry.Id);
    // Only what findings need of it: a risk report lists every package.
    const { Name, Version, Locations, PackageRepository, IsDirectDependency } = entry;
    if (id !== undefined) this.packages.set(id, { Name, Version, Locations, PackageRepository, IsDirectDependency });
  }

  /** A vulnerability of the risk report of Checkmarx SCA. */
  finding(found: Fields): NormalizedFinding {
    const id = label(found.PackageId);
    return riskFinding(found, fields(id === undefined ? undefined : this.packages.get(id)));
  }
}

function riskFinding(found: Fields, entry: Fields): NormalizedFinding {
  const name = label(entry.Name) ?? label(found.PackageName);
  const version = label(entry.Version) ?? label(found.PackageVersion);
  const component = packageOf(label(found.PackageId), { name, version });
  const ecosystem = ecosystemOf(label(entry.PackageRepository)) ?? component?.ecosystem;
  const fixedVersion = label(found.FixResolutionText) ?? label(found.RecommendedVersion);
  const rating = fields(found.Cvss ?? found.Cvss3);
  return scaFinding({
    id: label(found.Id),
    cve: label(found.CveName),
    severity: label(found.Severity),
    component: component === undefined ? undefined : defined({ ...component, ecosystem, fixedVersion }),
    score: found.Score ?? rating.Score,
    scoreVersion: rating.Version,
    cwe: found.Cwe,
    description: text(found.Description),
    files: list(entry.Locations),
    links: [found.References],
    suppressed:
      found.IsIgnored === true
        ? { verdict: 'accepted_risk', reason: 'Ignored in Checkmarx SCA' }
        : suppressionOf(found.State, undefined, undefined),
    tags: entry.IsDirectDependency === true ? ['direct'] : [],
  });
}

import type { NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { parseRecord, readRecords, type Tally } from '../../lib/json/records.ts';
import { indexJson, type JsonNode, type JsonReport } from '../../lib/json/report.ts';
import { defined, fields, label, list, text } from '../../lib/values/read.ts';
import { ecosystemOf, packageOf, scaFinding } from './sca.ts';
import { type OsaVulnerability, osaVulnerabilityCheck, scaVulnerabilityCheck, suppressionOf } from './schema.ts';

type Fields = Record<string, unknown>;

/**
 * CxOSA writes vulnerabilities and libraries into two files, which people join as `[[vulnerabilities], [libraries]]`.
 * @throws ReportError report_too_complex
 */
export function* osaFindings(json: JsonReport, tally: Tally, signal: AbortSignal): Generator<ReportRecord> {
  const lists = Array.from({ length: json.loose.length }, (_, index) =>
    indexJson(json.bytes.subarray(json.loose.start(index), json.loose.end(index)), {}),
  );
  const libraries = new Map<string, Fields>();
  for (const part of lists) for (const library of librariesIn(part)) libraries.set(library.id, library.fields);
  for (const part of lists) {
    if (isLibraryList(part)) continue;
    const source = {
      report: part,
      ranges: part.loose,
      list: 'vulnerabilities',
      check: osaVulnerabilityCheck,
      tally,
      signal,
    };
    yield* readRecords(source, (record) => osaFinding(record, fields(libraries.get(record.libraryId))));
  }
}

/** Libraries count their vulnerabilities; a vulnerability has a severity of its own. */
function isLibraryList(part: JsonReport): boolean {
  if (part.loose.length === 0) return true;
  const first = parseRecord(part.bytes, part.loose.start(0), part.loose.end(0));
  return 'value' in first && fields(first.value).severity === undefined && fields(first.value).name !== undefined;
}

function* librariesIn(part: JsonReport): Generator<{ id: string; fields: Fields }> {
  if (!isLibraryList(part)) return;
  for (let index = 0; index < part.loose.length; index += 1) {
    const read = parseRecord(part.bytes, part.loose.start(index), part.loose.end(index));
    const library = fields('value' in read ? read.value : undefined);
    const id = label(library.id);
    if (id !== undefined) yield { id, fields: library };
  }
}

function osaFinding(record: OsaVulnerability, library: Fields): NormalizedFinding {
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

/** The risk report of Checkmarx SCA: packages and, apart from them, vulnerabilities. */
export function* riskReportFindings(
  json: JsonReport,
  document: JsonNode,
  tally: Tally,
  signal: AbortSignal,
): Generator<ReportRecord> {
  const ranges = document.records.get('Vulnerabilities');
  if (ranges === undefined) return;
  const packages = packagesOf(json, document);
  const source = { report: json, ranges, list: 'Vulnerabilities', check: scaVulnerabilityCheck, tally, signal };
  yield* readRecords(source, (record) => {
    const found = fields(record);
    const id = label(found.PackageId);
    return riskFinding(found, fields(id === undefined ? undefined : packages.get(id)));
  });
}

function packagesOf(json: JsonReport, document: JsonNode): Map<string, Fields> {
  const packages = new Map<string, Fields>();
  const ranges = document.records.get('Packages');
  for (let index = 0; ranges !== undefined && index < ranges.length; index += 1) {
    const read = parseRecord(json.bytes, ranges.start(index), ranges.end(index));
    const entry = fields('value' in read ? read.value : undefined);
    const id = label(entry.Id);
    // Only what findings need of it: a risk report lists every package.
    const { Name, Version, Locations, PackageRepository, IsDirectDependency } = entry;
    if (id !== undefined) packages.set(id, { Name, Version, Locations, PackageRepository, IsDirectDependency });
  }
  return packages;
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

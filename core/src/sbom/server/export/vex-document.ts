import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import { vexAnalysis } from '../../model/vex-state.ts';
import {
  exportVexComponents,
  exportVulnerabilities,
  readVexFingerprint,
  type VexComponent,
  type VexVulnerability,
} from '../queries/export-vulnerabilities.ts';
import { cyclonedxHead } from './cyclonedx-document.ts';
import { type ExportTarget, jsonArray, stated, uuidOf } from './export-source.ts';

const PAGE = 500;
const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

interface Pages<T> {
  read(
    db: Db,
    page: { clientId: string; repositoryId: string; after: string | undefined; limit: number },
  ): Promise<T[]>;
  keyOf(row: T): string;
}

async function* allPages<T>(
  { database, clientId, repositoryId }: ExportTarget,
  { read, keyOf }: Pages<T>,
): AsyncGenerator<T> {
  for (let after: string | undefined; ; ) {
    const page = { clientId, repositoryId, after, limit: PAGE };
    const rows = await database.forClient(clientId, (db) => read(db, page));
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE) return;
    after = keyOf(last);
  }
}

/** Source: CycloneDX 1.6 "scoreMethod". */
const methodOf = (vector: string | null): string | undefined => {
  if (vector === null) return undefined;
  if (vector.startsWith('CVSS:4')) return 'CVSSv4';
  if (vector.startsWith('CVSS:3.1')) return 'CVSSv31';
  if (vector.startsWith('CVSS:3')) return 'CVSSv3';
  return 'CVSSv2';
};

const sourceOf = (id: string): { name: string; url?: string } => {
  if (/^CVE-/.test(id)) return { name: 'NVD', url: `https://nvd.nist.gov/vuln/detail/${encodeURIComponent(id)}` };
  if (/^GHSA-/.test(id))
    return { name: 'GitHub Advisories', url: `https://github.com/advisories/${encodeURIComponent(id)}` };
  return { name: id.split('-', 1)[0] ?? id };
};

const detailOf = ({ verdict, verdict_reason, verdict_expires_at }: VexVulnerability): string | undefined => {
  const expiry =
    verdict === 'accepted_risk' && verdict_expires_at !== null
      ? `Accepted until ${verdict_expires_at.toISOString().slice(0, 10)}.`
      : '';
  return [verdict === 'none' ? '' : (verdict_reason ?? ''), expiry].filter((part) => part !== '').join(' ');
};

const isOneVersion = (text: string | null): text is string => text !== null && /^[\w.+:~-]+$/.test(text);

const vulnerabilityOf = (row: VexVulnerability): object => {
  const { name, title, aliases, cwe, fixed_version, component_version, severity, cvss, cvss_vector } = row;
  const isClosed = row.is_closed;
  const hasFix = fixed_version !== null && fixed_version !== '';
  const versions = [
    ...(isOneVersion(component_version) ? [{ version: component_version, status: 'affected' }] : []),
    ...(isOneVersion(fixed_version) ? [{ version: fixed_version, status: 'unaffected' }] : []),
  ];
  const others = aliases.filter((alias) => alias !== name);
  return stated({
    'bom-ref': row.id,
    id: name,
    source: sourceOf(name),
    references: others.length === 0 ? undefined : others.map((id) => ({ id, source: sourceOf(id) })),
    ratings: [
      stated({ score: cvss, severity: SEVERITIES[severity], method: methodOf(cvss_vector), vector: cvss_vector }),
    ],
    cwes: cwe.length === 0 ? undefined : cwe,
    description: title,
    recommendation: hasFix ? `Upgrade to ${fixed_version}.` : undefined,
    analysis: stated({ ...vexAnalysis({ verdict: row.verdict, isClosed, hasFix }), detail: detailOf(row) }),
    affects: [stated({ ref: row.package_key, versions: versions.length === 0 ? undefined : versions })],
  });
};

const componentOf = ({ package_key, name, version, purl }: VexComponent): object =>
  stated({ type: 'library', 'bom-ref': package_key, name, version, purl });

async function* mapped<T>(rows: AsyncIterable<T>, toEntry: (row: T) => object): AsyncGenerator<object> {
  for await (const row of rows) yield toEntry(row);
}

/** What was decided about known vulnerabilities of an application: CycloneDX 1.6 with its VEX statements, and the packages they speak of. */
export async function* vexDocument(target: ExportTarget): AsyncGenerator<string> {
  const { database, clientId, repositoryId, name } = target;
  const fingerprint = () => database.forClient(clientId, (db) => readVexFingerprint(db, { clientId, repositoryId }));
  const before = await fingerprint();
  const head = { serial: uuidOf('vex', name, before), timestamp: new Date().toISOString() };
  yield `{${cyclonedxHead(name, head)},\n`;
  const components = allPages(target, { read: exportVexComponents, keyOf: (row) => row.package_key });
  yield* jsonArray('components', mapped(components, componentOf));
  yield ',\n';
  const rows = allPages(target, { read: exportVulnerabilities, keyOf: (row) => String(row.definition_id) });
  yield* jsonArray('vulnerabilities', mapped(rows, vulnerabilityOf));
  if ((await fingerprint()) !== before)
    throw new AppError('conflict', msg('A verdict changed while it was exported. Download it again.'));
  yield '}\n';
}

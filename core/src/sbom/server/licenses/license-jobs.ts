import { createHash } from 'node:crypto';
import type { NormalizedFinding } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Static, Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { LICENSE_TOOL, type LicensedComponent, licenseFinding } from '../../model/license-finding.ts';
import { createLicenseClassifier } from '../../model/license-policy.ts';
import { licenseRules } from '../license-table.ts';
import { licenseChecks, readPolicy } from './policy-store.ts';

/** Records that are to be imported as a report of our own tool: what ingest does, given by the composition root. */
export interface LicenseRecords {
  clientId: string;
  repositoryId: string;
  connectorId: string;
  toolId: string;
  label: string;
}

export interface LicenseJobDeps {
  database: DatabaseHandle;
  log: Logger;
  takeRecords(source: LicenseRecords, records: AsyncIterable<NormalizedFinding>): Promise<unknown>;
}

/** The application whose inventory is checked. */
const RepositoryRef = Type.Object({ clientId: Type.String(), repositoryId: Type.String() });
type RepositoryRef = Static<typeof RepositoryRef>;

const findLicenseIssues = (
  database: DatabaseHandle,
  { clientId, repositoryId }: RepositoryRef,
): Promise<{ requests: number; last: string | null; findings: NormalizedFinding[] } | undefined> =>
  database.forClient(clientId, async (db) => {
    const check = await licenseChecks.read(db, { clientId, key: repositoryId });
    if (check?.isDue !== true) return undefined;
    const classify = createLicenseClassifier(await readPolicy(db, clientId), licenseRules());
    const findings: NormalizedFinding[] = [];
    for (const component of await listLicensedComponents(db, { clientId, repositoryId })) {
      const classification = classify(component.licenses);
      if (classification.verdict !== 'allowed') findings.push(licenseFinding(component, classification));
    }
    return { requests: check.requests, last: check.state.content, findings };
  });

/** No findings has no digest: an application that never had one gets no empty import. */
const digestOf = (findings: readonly NormalizedFinding[]): string | null =>
  findings.length === 0 ? null : createHash('sha256').update(JSON.stringify(findings)).digest('hex');

async function* stream(findings: readonly NormalizedFinding[]): AsyncGenerator<NormalizedFinding> {
  yield* findings;
}

/**
 * Holds one application's inventory against the policy and imports what it finds, the way a report is: so a licence that is replaced
 * closes its finding. A killed run is done again, which changes nothing. @returns how many components need a look.
 */
export const checkLicenses = async (
  { database, takeRecords }: Pick<LicenseJobDeps, 'database' | 'takeRecords'>,
  repository: RepositoryRef,
): Promise<number | undefined> => {
  const found = await findLicenseIssues(database, repository);
  if (found === undefined) return undefined;
  const content = digestOf(found.findings);
  if (content !== found.last) {
    const source = { ...repository, connectorId: LICENSE_TOOL, toolId: LICENSE_TOOL, label: 'Licence policy' };
    await takeRecords(source, stream(found.findings));
  }
  await database.forClient(repository.clientId, (db) =>
    licenseChecks.finish(
      db,
      { clientId: repository.clientId, key: repository.repositoryId },
      { requests: found.requests, change: { content } },
    ),
  );
  return found.findings.length;
};

/** Holds one application's inventory against the policy. One at a time: two checks of one application would import in no order. */
export const checkLicensesOf = defineJob({
  name: 'licenses.check',
  input: RepositoryRef,
  key: ({ clientId, repositoryId }) => `${clientId} ${repositoryId}`,
  retry: { limit: 5 },
  ofDue: ({ clientId, key }) => ({ clientId, repositoryId: key }),
  run: async (deps: LicenseJobDeps, { data }) => {
    const count = await checkLicenses(deps, data);
    if (count !== undefined) deps.log.info({ repository: data.repositoryId, count }, 'licences checked');
  },
});

const MAX_VERSIONS = 20;

/** What an application's inventories say of licences, each name with the same licences once. Index: components_of_repository. */
export const listLicensedComponents = async (
  db: Db,
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
): Promise<LicensedComponent[]> => {
  const { rows } = await sql<LicensedComponent>`
    select min(name) as name, min(group_name) as "group", ecosystem, licenses,
      (array_agg(distinct version order by version) filter (where version is not null))[1:${sql.lit(MAX_VERSIONS)}] as versions
    from components
    where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null and type is distinct from 'file'
    group by full_name, ecosystem, licenses
    order by full_name, ecosystem, licenses`.execute(db);
  return rows.map((row) => ({ ...row, versions: row.versions ?? [] }));
};

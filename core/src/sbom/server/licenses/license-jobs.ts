import { createHash } from 'node:crypto';
import type { NormalizedFinding } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { type Static, Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { LICENSE_TOOL, type LicensedComponent, licenseFinding } from '../../model/license-finding.ts';
import { createLicenseClassifier } from '../../model/license-policy.ts';
import { licenseRules } from '../license-table.ts';
import { readPolicy } from './policy-store.ts';

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
  jobs: Pick<JobQueue, 'enqueue'>;
  log: Logger;
  takeRecords(source: LicenseRecords, records: AsyncIterable<NormalizedFinding>): Promise<unknown>;
}

/** The application whose inventory is checked. */
const RepositoryRef = Type.Object({ clientId: Type.String(), repositoryId: Type.String() });
type RepositoryRef = Static<typeof RepositoryRef>;

const MAX_ENQUEUED = 200;

const findLicenseIssues = (
  database: DatabaseHandle,
  { clientId, repositoryId }: RepositoryRef,
): Promise<{ asked: string; last: Buffer | null; findings: NormalizedFinding[] } | undefined> =>
  database.forClient(clientId, async (db) => {
    const { rows } = await sql<{ asked: string; last: Buffer | null }>`
      select asked::text, content as last from license_checks
      where client_id = ${clientId} and repository_id = ${repositoryId} and done < asked`.execute(db);
    const [check] = rows;
    if (check === undefined) return undefined;
    const classify = createLicenseClassifier(await readPolicy(db, clientId), licenseRules());
    const findings: NormalizedFinding[] = [];
    for (const component of await listLicensedComponents(db, { clientId, repositoryId })) {
      const classification = classify(component.licenses);
      if (classification.verdict !== 'allowed') findings.push(licenseFinding(component, classification));
    }
    return { ...check, findings };
  });

/** No findings has no digest: an application that never had one gets no empty import. */
const digestOf = (findings: readonly NormalizedFinding[]): Buffer | null =>
  findings.length === 0 ? null : createHash('sha256').update(JSON.stringify(findings)).digest();

const isSame = (a: Buffer | null, b: Buffer | null): boolean =>
  a === null || b === null ? a === b : Buffer.compare(a, b) === 0;

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
  if (!isSame(content, found.last)) {
    const source = { ...repository, connectorId: LICENSE_TOOL, toolId: LICENSE_TOOL, label: 'Licence policy' };
    await takeRecords(source, stream(found.findings));
  }
  await database.forClient(repository.clientId, (db) =>
    sql`
      update license_checks set done = greatest(done, ${found.asked}::bigint), content = ${content}
      where client_id = ${repository.clientId} and repository_id = ${repository.repositoryId}`.execute(db),
  );
  return found.findings.length;
};

/** Holds one application's inventory against the policy. One at a time: two checks of one application would import in no order. */
export const checkLicensesOf = defineJob({
  name: 'licenses.check',
  input: RepositoryRef,
  key: ({ clientId, repositoryId }) => `${clientId} ${repositoryId}`,
  retry: { limit: 5 },
  run: async (deps: LicenseJobDeps, { data }) => {
    const count = await checkLicenses(deps, data);
    if (count !== undefined) deps.log.info({ repository: data.repositoryId, count }, 'licences checked');
  },
});

/** Enqueues the checks that are asked for. Index: license_checks_open. */
const enqueueLicenseChecks = async ({ database, jobs }: LicenseJobDeps): Promise<void> => {
  const { rows } = await database.forIdentity((db) =>
    sql<RepositoryRef>`
      select client_id as "clientId", repository_id as "repositoryId" from license_checks
      where done < asked order by client_id, repository_id limit ${MAX_ENQUEUED}`.execute(db),
  );
  for (const repository of rows) {
    await database.forClient(repository.clientId, (db) => jobs.enqueue(db, checkLicensesOf, repository));
  }
};

/** People wait for the check after they uploaded an inventory; a run without one reads one small index. */
export const findLicenseChecks = defineJob({
  name: 'licenses.due',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 5 },
  run: enqueueLicenseChecks,
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

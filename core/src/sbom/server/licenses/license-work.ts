import { createHash } from 'node:crypto';
import type { NormalizedFinding } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import type { JobQueue } from '../../../platform/server/jobs.ts';
import { type Sweep, startSweep } from '../../../platform/server/sweep.ts';
import { LICENSE_TOOL, licenseFinding } from '../../model/license-finding.ts';
import { createLicenseJudge } from '../../model/license-policy.ts';
import { licenseRules } from '../license-table.ts';
import { listLicensedComponents } from '../queries/list-licensed-components.ts';
import { readPolicy } from './policy-store.ts';

/** Records that are to be imported as a report of our own tool: what ingest does, given by the composition root. */
export interface LicenseRecords {
  clientId: string;
  repositoryId: string;
  connectorId: string;
  toolId: string;
  label: string;
}

export interface LicenseWorkDeps {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue' | 'work'>;
  log: Logger;
  takeRecords(order: LicenseRecords, records: AsyncIterable<NormalizedFinding>): Promise<unknown>;
}

interface Place {
  clientId: string;
  repositoryId: string;
}

const LICENSE_JOB = 'licenses.check';
/** People wait for it after they uploaded an inventory; an empty look reads one small index. */
const SWEEP_EVERY_MS = 5_000;
const MAX_AT_ONCE = 200;

const findLicenseFaults = (
  database: DatabaseHandle,
  { clientId, repositoryId }: Place,
): Promise<{ asked: string; last: Buffer | null; findings: NormalizedFinding[] } | undefined> =>
  database.forClient(clientId, async (db) => {
    const { rows } = await sql<{ asked: string; last: Buffer | null }>`
      select asked::text, content as last from license_checks
      where client_id = ${clientId} and repository_id = ${repositoryId} and done < asked`.execute(db);
    const [check] = rows;
    if (check === undefined) return undefined;
    const judge = createLicenseJudge(await readPolicy(db, clientId), licenseRules());
    const findings: NormalizedFinding[] = [];
    for (const component of await listLicensedComponents(db, { clientId, repositoryId })) {
      const judgement = judge(component.licenses);
      if (judgement.verdict !== 'allowed') findings.push(licenseFinding(component, judgement));
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
  { database, takeRecords }: Pick<LicenseWorkDeps, 'database' | 'takeRecords'>,
  place: Place,
): Promise<number | undefined> => {
  const found = await findLicenseFaults(database, place);
  if (found === undefined) return undefined;
  const content = digestOf(found.findings);
  if (!isSame(content, found.last)) {
    const order = { ...place, connectorId: LICENSE_TOOL, toolId: LICENSE_TOOL, label: 'Licence policy' };
    await takeRecords(order, stream(found.findings));
  }
  await database.forClient(place.clientId, (db) =>
    sql`
      update license_checks set done = greatest(done, ${found.asked}::bigint), content = ${content}
      where client_id = ${place.clientId} and repository_id = ${place.repositoryId}`.execute(db),
  );
  return found.findings.length;
};

/** Orders the checks that are asked for. @returns how many. */
export const sweepLicenseChecks = async ({
  database,
  jobs,
}: {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
}): Promise<number> => {
  const { rows } = await database.forIdentity((db) =>
    sql<Place>`
      select client_id as "clientId", repository_id as "repositoryId" from license_checks
      where done < asked order by client_id, repository_id limit ${MAX_AT_ONCE}`.execute(db),
  );
  for (const place of rows) {
    const key = `${place.clientId} ${place.repositoryId}`;
    await database.forClient(place.clientId, (db) => jobs.enqueue(db, LICENSE_JOB, place, { singletonKey: key }));
  }
  return rows.length;
};

/** Takes the jobs of licence checks, and looks every few seconds for what is asked for. */
export const startLicenseWork = async (deps: LicenseWorkDeps): Promise<Sweep> => {
  // one at a time: two checks of one application would import in no order
  await deps.jobs.work<Place>(
    LICENSE_JOB,
    async ({ data }) => {
      const count = await checkLicenses(deps, data);
      if (count !== undefined) deps.log.info({ repository: data.repositoryId, count }, 'licences checked');
    },
    { concurrency: 1 },
  );
  const sweep = async (): Promise<void> => {
    try {
      await sweepLicenseChecks(deps);
    } catch (error) {
      deps.log.warn({ err: error }, 'sweep of licence checks');
    }
  };
  return startSweep(sweep, SWEEP_EVERY_MS);
};

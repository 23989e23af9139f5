import { createReadStream } from 'node:fs';
import { sql } from 'kysely';
import { callerEndpoint, type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { removeRepository, upsertRepository } from '../../../repositories/server/index.ts';
import { loadSample, removeSample } from '../../api/routes.ts';
import { importRemovals } from '../scans/remove-repository.ts';
import { createSpool, spoolReport } from './spool.ts';
import { enqueueImport, type UploadDependencies } from './upload-endpoint.ts';

const FOLDER = new URL('../../../../data/demo-juice-shop/', import.meta.url);

/** OWASP Juice Shop: five reports, each with the tool that wrote it. Source and licence: core/data/README.md. */
const REPORTS = [
  { file: 'opengrep.semgrep-json.json', tool: 'opengrep' },
  { file: 'grype.json', tool: 'grype' },
  { file: 'owasp-dependency-check.json', tool: 'owasp-dependency-check' },
  { file: 'trivy-secrets.json', tool: 'trivy' },
  { file: 'sbom.cyclonedx-1.2.json', tool: 'cyclonedx' },
] as const;

/** Where the sample goes, and on whose word. */
export interface SampleRequest {
  clientId: string;
  userId: string | null;
}

const enqueueReport = async (
  dependencies: UploadDependencies,
  request: SampleRequest & { repositoryId: string },
  { file, tool }: (typeof REPORTS)[number],
): Promise<string> => {
  const spool = await createSpool();
  try {
    const report = await spoolReport(spool, createReadStream(new URL(file, FOLDER)), dependencies.maxReportBytes);
    return await enqueueImport(dependencies, { ...request, report, requestedTool: tool, toolId: tool, fileName: file });
  } finally {
    await spool.dispose();
  }
};

/**
 * Adds the application "juice-shop", marked as sample, and imports its reports the way every report goes.
 * Done twice, it imports the same reports again, which changes nothing.
 */
export const loadSampleData = async (
  dependencies: UploadDependencies,
  request: SampleRequest,
): Promise<{ repositoryId: string; scanIds: string[] }> => {
  const { id: repositoryId } = await dependencies.database.forClient(request.clientId, (db) =>
    upsertRepository(db, {
      clientId: request.clientId,
      nickname: 'juice-shop',
      url: 'https://github.com/juice-shop/juice-shop',
      sourceControl: 'git',
      branch: 'master',
      externalId: null,
      tags: ['sample'],
      owner: null,
      isSample: true,
    }),
  );
  const scanIds: string[] = [];
  for (const report of REPORTS) scanIds.push(await enqueueReport(dependencies, { ...request, repositoryId }, report));
  return { repositoryId, scanIds };
};

/** The two routes of the sample application. */
export const sampleEndpoints = (dependencies: UploadDependencies): Endpoint[] => [
  callerEndpoint(loadSample)(async ({ caller, reply }) => {
    const { clientId, userId } = caller;
    const { repositoryId, scanIds } = await loadSampleData(dependencies, { clientId, userId });
    reply.status(202);
    return { success: true, data: { repository_id: repositoryId, scan_ids: scanIds } };
  }),
  tenantEndpoint(removeSample)(async ({ db, caller }) => {
    const { clientId } = caller;
    const { rows } = await sql<{ id: string }>`
      select id from repositories where client_id = ${clientId} and is_sample order by id
    `.execute(db);
    for (const { id } of rows) await removeRepository(db, { clientId, id, removals: importRemovals });
    return { success: true };
  }),
];

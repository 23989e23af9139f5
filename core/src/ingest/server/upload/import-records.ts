import { createReadStream } from 'node:fs';
import type { NormalizedFinding, ReportCoverage } from '@breakwater/sdk';
import { createSpool, spoolReport } from './spool.ts';
import { enqueueImport, type UploadDependencies } from './upload-endpoint.ts';

/** Findings that a connector pulled for one application. */
export interface RecordsImport {
  clientId: string;
  repositoryId: string;
  connectorId: string;
  /** Tool whose findings they are: reports of it that are uploaded meet the same findings. */
  toolId: string;
  /** Shown where a file name stands. */
  label: string;
  /** Who asked for them; null: nobody, a schedule. */
  userId?: string | null;
}

/** What is imported: findings, and the rules of which nothing could be said (`unchecked`). */
export type ImportedRecord = NormalizedFinding | Pick<ReportCoverage, 'kind' | 'unchecked'>;

async function* encode(records: AsyncIterable<ImportedRecord> | Iterable<ImportedRecord>): AsyncGenerator<Uint8Array> {
  for await (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
}

/**
 * Takes the present findings of one application and imports them the way a report goes. They are on disk before anything is
 * stored: where `records` throws, nothing is. @returns the scan's id.
 */
export const importRecords = async (
  dependencies: UploadDependencies,
  request: RecordsImport,
  records: AsyncIterable<ImportedRecord> | Iterable<ImportedRecord>,
): Promise<string> => {
  const spool = await createSpool();
  try {
    const report = await spoolReport(spool, encode(records), dependencies.maxReportBytes);
    return await enqueueImport(dependencies, {
      clientId: request.clientId,
      repositoryId: request.repositoryId,
      userId: request.userId ?? null,
      report,
      requestedTool: request.toolId,
      toolId: request.toolId,
      fileName: request.label,
      connectorId: request.connectorId,
    });
  } finally {
    await spool.dispose();
  }
};

/** A report that a scanner of this server wrote. */
export interface ReportFileImport {
  clientId: string;
  repositoryId: string;
  /** Who asked for the scan. */
  userId: string | null;
  /** Null for the default branch. */
  branch: string | null;
  /** Hash of what was scanned, where it is known. */
  commit: string | undefined;
  toolId: string;
  /** Where the report lies. */
  path: string;
  fileName: string;
}

/** Imports a file of this server the way an uploaded report goes. @returns the scan's id @throws tool_excluded, payload_too_large */
export const importReportFile = async (
  dependencies: UploadDependencies,
  { path, toolId, ...request }: ReportFileImport,
): Promise<string> => {
  const spool = await createSpool();
  try {
    const report = await spoolReport(spool, createReadStream(path), dependencies.maxReportBytes);
    return await enqueueImport(dependencies, { ...request, report, requestedTool: toolId, toolId });
  } finally {
    await spool.dispose();
  }
};

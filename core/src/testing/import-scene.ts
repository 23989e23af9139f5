import { createHash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { zstdCompressSync } from 'node:zlib';
import { openReportTools } from '@breakwater/host-server/plugins/parse-tools.ts';
import { createTestDatabase, type TestDatabase } from '../../../tools/testing/database.ts';
import { type ImportOutcome, runImport } from '../ingest/server/run/run-import.ts';
import type { ReportTools } from '../platform/model/connector-catalogue.ts';

const APP_OPTIONS = '-c role=breakwater_app -c timezone=UTC';
const DEMO = new URL('../../data/demo-juice-shop/', import.meta.url);

/** The five reports of the sample application. */
export const DEMO_REPORTS = [
  ['opengrep', 'opengrep.semgrep-json.json'],
  ['grype', 'grype.json'],
  ['owasp-dependency-check', 'owasp-dependency-check.json'],
  ['trivy', 'trivy-secrets.json'],
  ['cyclonedx', 'sbom.cyclonedx-1.2.json'],
] as const;

export const readDemo = (name: string): Promise<string> => readFile(new URL(name, DEMO), 'utf8');

/** A database with one client and one repository, and imports without server or queue. */
export interface ImportScene {
  test: TestDatabase;
  clientId: string;
  repositoryId: string;
  tools: ReportTools;
  /** Stores a report as the upload does. @returns the scan. */
  store(tool: string, text: string | Buffer, repositoryId?: string, branch?: string): Promise<string>;
  /** @param codeId only with it a report may be recognised as repeated; tests of the import itself go without. */
  run(scanId: string, codeId?: string): Promise<ImportOutcome>;
  /** Stores, imports, and gives the counts. Throws when the import fails. */
  import(tool: string, text: string | Buffer, repositoryId?: string, branch?: string): Promise<Counts>;
  rows<T extends object>(sql: string, values?: unknown[]): Promise<T[]>;
  addRepository(nickname: string): Promise<string>;
}

type Counts = Extract<ImportOutcome, { outcome: 'done' }>['counts'];

/** @param inside another database than a clone of the template, and one of its organisations instead of a new one. */
export const createImportScene = async (
  tools?: ReportTools,
  inside?: { database: TestDatabase; clientId?: string | undefined },
): Promise<ImportScene> => {
  const test = inside?.database ?? (await createTestDatabase());
  const usedTools = tools ?? (await openReportTools());
  const rows = async <T extends object>(sql: string, values: unknown[] = []): Promise<T[]> =>
    (await test.owner.query<T>(sql, values)).rows;
  const addClient = async (): Promise<string> => {
    const [row] = await rows<{ id: string }>(`insert into clients (organization_name) values ('Test') returning id`);
    return row?.id ?? '';
  };
  const clientId = inside?.clientId ?? (await addClient());
  const addRepository = async (nickname: string): Promise<string> => {
    const [row] = await rows<{ id: string }>(
      `insert into repositories (client_id, nickname, source_control) values ($1, $2, 'git') returning id`,
      [clientId, nickname],
    );
    return row?.id ?? '';
  };
  const repositoryId = await addRepository(inside?.clientId === undefined ? 'shop' : 'shop there');
  const store: ImportScene['store'] = async (tool, content, target = repositoryId, branch) => {
    const bytes = Buffer.from(content);
    const sha256 = createHash('sha256').update(bytes).digest();
    const reportId = randomUUID();
    const known = await rows<{ id: string }>('select id from reports where client_id = $1 and sha256 = $2', [
      clientId,
      sha256,
    ]);
    if (known[0] === undefined) {
      await rows('insert into reports (client_id, id, sha256, size_bytes) values ($1, $2, $3, $4)', [
        clientId,
        reportId,
        sha256,
        bytes.length,
      ]);
      await rows('insert into report_chunks values ($1, $2, 0, $3)', [clientId, reportId, zstdCompressSync(bytes)]);
    }
    const [scan] = await rows<{ id: string }>(
      'insert into scans (client_id, repository_id, report_id, requested_tool, tool, branch) values ($1, $2, $3, $4, $4, $5) returning id',
      [clientId, target, known[0]?.id ?? reportId, tool, branch ?? null],
    );
    return scan?.id ?? '';
  };
  const run: ImportScene['run'] = (scanId, codeId) =>
    runImport({
      codeId,
      connection: { connectionString: test.url, options: APP_OPTIONS },
      clientId,
      scanId,
      tools: usedTools,
      signal: new AbortController().signal,
    });
  return {
    ...{ test, clientId, repositoryId, tools: usedTools, store, run, rows, addRepository },
    import: async (tool, content, target, branch) => {
      const outcome = await run(await store(tool, content, target, branch));
      if (outcome.outcome !== 'done') throw new Error(JSON.stringify(outcome));
      return outcome.counts;
    },
  };
};

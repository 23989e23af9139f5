import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, rm, statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ADMIN, type ApiClient, addRepository, setUp, signIn } from './api.ts';
import { generatedReport } from './reports.ts';
import { emptyFolder, removeFolder, startServer } from './server.ts';

export const RESULTS = 6000;
export const REPORT = generatedReport(RESULTS);
const SCAN_TIMEOUT_MS = 300_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const waitForScan = async (api: ApiClient, scanId: string): Promise<unknown> => {
  const deadline = Date.now() + SCAN_TIMEOUT_MS;
  for (;;) {
    const { body } = await api.get(`/scans/${scanId}`);
    const { status, counts } = body.data.attributes;
    if (['done', 'incomplete', 'outdated', 'failed'].includes(status))
      return { status, total: counts.total, new: counts.new };
    if (Date.now() > deadline) throw new Error(`the scan is still ${status}`);
    await pause(100);
  }
};

/** All that an import leaves behind, without ids and times. */
export const harvest = async (api: ApiClient): Promise<unknown> => {
  const list = await api.get('/findings?pagination=false');
  assert.equal(list.status, 200);
  const rows = list.body.data.map(({ attributes }: { attributes: Record<string, unknown> }) => {
    const { title, severity, priority, status, tool, file_path, start_line, is_duplicate, verdict } = attributes;
    return JSON.stringify({ title, severity, priority, status, tool, file_path, start_line, is_duplicate, verdict });
  });
  const facets = await api.get('/filter/findings?filter_key=severity');
  const chart = await api.get('/total_findings_chart');
  return {
    total: list.body.meta.pagination.total,
    rows: rows.sort(),
    facets: facets.body.data,
    chart: chart.body.data.series,
  };
};

/** What an undisturbed import of the report leaves behind. */
export const cleanRun = async (): Promise<unknown> => {
  const server = await startServer();
  try {
    const api = await setUp(server);
    const { body } = await api.upload(await addRepository(api, 'killed'), 'report.json', REPORT);
    assert.deepEqual([body.data.status, body.data.counts.total, body.data.counts.new], ['done', RESULTS, RESULTS]);
    return await harvest(api);
  } finally {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
};

/** The same, with the server killed `momentMs` after the upload was acknowledged and started again on the same folder. */
export const killedRun = async (momentMs: number): Promise<unknown> => {
  const dataDirectory = await emptyFolder();
  let server = await startServer({ dataDirectory });
  try {
    const api = await setUp(server);
    const repository = await addRepository(api, 'killed');
    const { status, body } = await api.upload(repository, 'report.json', REPORT, 0);
    assert.equal(status, 202, JSON.stringify(body));
    await pause(momentMs);
    await server.kill();

    server = await startServer({ dataDirectory });
    const later = await signIn(server, ADMIN.username, ADMIN.password);
    assert.deepEqual(await waitForScan(later, body.data.scan_id), { status: 'done', total: RESULTS, new: RESULTS });
    const result = await harvest(later);
    const repeated = await later.upload(repository, 'report.json', REPORT);
    const { counts } = repeated.body.data;
    assert.deepEqual([counts.new, counts.closed, counts.unchanged], [0, 0, RESULTS]);
    return result;
  } finally {
    await server.stop();
    await removeFolder(dataDirectory);
  }
};

const DISK = '420m';
const MEGABYTE = 1024 * 1024;
const PATIENCE_MS = 300_000;

/** How an upload ended while the disk was full. */
export interface FullDiskResult {
  /** What the sender was told at last: HTTP status, and of the scan its status, code and detail. */
  met: string;
  /** What is left behind after space was freed and the report was sent again. */
  harvest: unknown;
}

const freeBytes = async (folder: string): Promise<number> => {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
};

/** A disk of its own, as large as a small installation needs. @returns what gives it back. */
const mountDisk = async (folder: string): Promise<() => void> => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', folder]);
  await chmod(folder, 0o755);
  return () => execFileSync('umount', ['-l', folder]);
};

const untilEnded = async (ask: () => Promise<{ status: string; code: string | null; detail: string | null }>) => {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const scan = await ask();
    if (['done', 'failed'].includes(scan.status) || Date.now() > deadline) return scan;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
};

/**
 * Fills the disk of the database until `leftMb` are free, imports, frees the disk, and imports again. Needs the right to mount.
 * The server must live through all of it.
 * @param afterMs fills the disk only so long after the upload was acknowledged; undefined: before.
 */
export const fullDiskRun = async (leftMb: number, afterMs?: number): Promise<FullDiskResult> => {
  const dataDirectory = await emptyFolder();
  const unmount = await mountDisk(dataDirectory);
  const server = await startServer({ dataDirectory }).catch((error: unknown) => {
    unmount();
    throw error;
  });
  try {
    const api = await setUp(server);
    const repository = await addRepository(api, 'killed');
    const ballast = path.join(dataDirectory, 'ballast');
    const fill = async (): Promise<void> => {
      const excess = Math.max(0, (await freeBytes(dataDirectory)) - leftMb * MEGABYTE);
      await writeFile(ballast, Buffer.alloc(excess)).catch(() => undefined);
    };
    if (afterMs === undefined) await fill();
    const upload = await api.upload(repository, 'report.json', REPORT, 0);
    if (afterMs !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, afterMs));
      await fill();
    }
    let met = `${upload.status} ${upload.body?.code ?? ''} ${upload.body?.detail ?? ''}`;
    if (upload.status < 300) {
      const scan = await untilEnded(async () => {
        const { status, body } = await api.get(`/scans/${upload.body.data.scan_id}`);
        assert.equal(status, 200, 'the server answers while the disk is full');
        return body.data.attributes;
      });
      met = `${upload.status} ${scan.status} ${scan.code} ${scan.detail}`;
    }
    assert.equal((await fetch(`${server.url}/healthz`)).status, 200);
    await rm(ballast);
    const again = await api.upload(repository, 'report.json', REPORT);
    assert.equal(again.body.data?.status, 'done', JSON.stringify(again.body));
    assert.equal(again.body.data.counts.total, RESULTS);
    assert.equal(server.process.exitCode, null);
    return { met, harvest: await harvest(api) };
  } catch (error) {
    process.stdout.write(`${server.lines.slice(-12).join('\n')}\n`);
    throw error;
  } finally {
    await server.stop();
    unmount();
    await removeFolder(dataDirectory);
  }
};

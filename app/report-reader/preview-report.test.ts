import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { recogniseWith } from '@breakwater/core/ingest/model/recognise-report.ts';
import type { ReportPreview } from '@breakwater/core/ingest/model/report-preview.ts';
import { ReportError } from '@breakwater/sdk';
import { BlobReader, BlobWriter, ZipWriter } from '@zip.js/zip.js';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openReportTools } from '../../host-server/src/plugins/parse-tools.ts';
import { inChunks, sampleBytes, samples } from '../../plugins/scanners/src/server/testing/samples.ts';
import { importersInBrowser } from '../vite/report-reader.ts';
import type { ReportFile } from './preview-report.ts';

type Preview = (report: ReportFile) => Promise<ReportPreview>;

const NODE_BUFFER = Buffer;
let browserBuffer: unknown;
let folder: string;
let preview: Preview;

/** What browsers get, with everything that stands in for Node, in this process. */
beforeAll(async () => {
  vi.stubEnv('NODE_ENV', 'production');
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-report-reader-'));
  const entry = path.join(folder, 'entry.ts');
  const globals = import.meta.resolve('@breakwater/plugin-scanners/browser/node-globals').replace('file://', '');
  const own = path.join(import.meta.dirname, 'preview-report.ts');
  await writeFile(entry, `import '${globals}';\nexport { previewReport } from '${own}';\n`);
  const built = await build({
    root: import.meta.dirname,
    configFile: false,
    logLevel: 'silent',
    plugins: [importersInBrowser()],
    build: {
      write: false,
      target: 'es2024',
      rolldownOptions: { input: entry, preserveEntrySignatures: 'strict', output: { codeSplitting: false } },
    },
  });
  const output = Array.isArray(built) ? built[0]?.output : 'output' in built ? built.output : undefined;
  const code = output?.flatMap((file) => (file.type === 'chunk' ? [file.code] : [])) ?? [];
  expect(code).toHaveLength(1);
  // nothing is compiled from text (Content-Security-Policy), nothing of Node is left
  expect(code[0]).not.toMatch(/\bnew Function\(|\beval\(|from ?["']node:/);
  const file = path.join(folder, 'reader.mjs');
  await writeFile(file, code[0] ?? '');
  const module: { previewReport: Preview } = await import(pathToFileURL(file).href);
  preview = module.previewReport;
  browserBuffer = Reflect.get(globalThis, 'Buffer');
  expect(browserBuffer).not.toBe(NODE_BUFFER);
  Reflect.set(globalThis, 'Buffer', NODE_BUFFER);
}, 300_000);
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

const BANDIT = samples().find(({ tool, file }) => tool === 'bandit' && file.endsWith('.json'))?.file ?? '';
const HEAD_BYTES = 64 * 1024;

/** What the server's importers say. */
const serverSays = async (bytes: Buffer, name: string, toolId: string | null) => {
  const tools = await openReportTools();
  const named = toolId === null ? null : tools.resolveTool(toolId);
  const head = bytes.subarray(0, HEAD_BYTES);
  const { found, table } = await recogniseWith(tools, { toolId: named?.id ?? null, head, fileName: name });
  const tool = named ?? tools.resolveTool(found ?? '');
  if (tool === null)
    return table === null ? { kind: 'unknown', asked: tools.tools().map(({ id }) => id) } : { kind: 'table' };
  const counts = { findings: 0, components: 0, unreadable: 0 };
  const { signal } = new AbortController();
  try {
    for await (const record of tool.parser.parse(inChunks(bytes), {
      signal,
      ...(tool.family === null ? {} : { family: tool.family }),
    })) {
      if (record.kind === 'finding') counts.findings += 1;
      else if (record.kind === 'component') counts.components += 1;
      else if (record.kind === 'unreadable') counts.unreadable += 1;
    }
  } catch (error) {
    if (error instanceof ReportError) return { kind: 'refused', title: tool.title, why: error.message };
    throw error;
  }
  return { kind: 'counted', toolId: tool.id, title: tool.title, ...counts, isMore: false };
};

const look = async (bytes: Uint8Array<ArrayBuffer>, options: Partial<ReportFile> = {}): Promise<ReportPreview> => {
  const file = new Blob([bytes]);
  // the importers of the server, and the files after this one, keep Node's
  Reflect.set(globalThis, 'Buffer', browserBuffer);
  try {
    return await preview({ file, name: 'report.json', toolId: null, ...options });
  } finally {
    Reflect.set(globalThis, 'Buffer', NODE_BUFFER);
  }
};

/** An archive of these files; null makes a folder. */
const zipOf = async (
  files: Record<string, Uint8Array<ArrayBuffer> | null>,
  level = 6,
): Promise<Uint8Array<ArrayBuffer>> => {
  const writer = new ZipWriter(new BlobWriter(), { level, useWebWorkers: false });
  for (const [name, bytes] of Object.entries(files))
    await writer.add(name, bytes === null ? undefined : new BlobReader(new Blob([bytes])), {
      directory: bytes === null,
    });
  return new Uint8Array(await (await writer.close()).arrayBuffer());
};

const isZip = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04', 'latin1'));

describe('a report in the browser', () => {
  it('is recognised and counted as on the server, every recorded one', async () => {
    const differences: unknown[] = [];
    let compared = 0;
    for (const { file } of samples()) {
      const bytes = sampleBytes(file);
      if (bytes.length === 0 || isZip(bytes) || bytes.length > 32 * 1024 * 1024) continue;
      const name = path.basename(file);
      const [browser, server] = [await look(new Uint8Array(bytes), { name }), await serverSays(bytes, name, null)];
      compared += 1;
      if (JSON.stringify(browser) !== JSON.stringify(server)) differences.push({ file, browser, server });
    }
    expect(differences).toEqual([]);
    expect(compared).toBeGreaterThan(300);
  }, 600_000);

  const sample = (file: string): Uint8Array<ArrayBuffer> => new Uint8Array(sampleBytes(file));
  const text = (written: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(written);

  it('is unpacked where the browser can, and left to the server where only that can', async () => {
    const plain = await look(sample(BANDIT));
    expect(plain).toMatchObject({ kind: 'counted', toolId: 'bandit' });
    expect(await look(new Uint8Array(gzipSync(sample(BANDIT))))).toEqual(plain);
    for (const level of [0, 6])
      expect(await look(await zipOf({ 'out/': null, 'out/bandit.json': sample(BANDIT) }, level))).toEqual(plain);
    // an archive of several is a format of some tools
    expect(await look(await zipOf({ 'a.json': sample(BANDIT), 'b.json': sample(BANDIT) }))).toEqual({ kind: 'packed' });
    expect(await look(new Uint8Array([0x28, 0xb5, 0x2f, 0xfd, 0, 0]))).toEqual({ kind: 'packed' });
  });

  it('that is a damaged archive is given up; the server says what is wrong with it', async () => {
    const zip = await zipOf({ 'a.json': sample(BANDIT) });
    await expect(look(zip.slice(0, 200))).rejects.toThrow();
    const broken = new Uint8Array(zip);
    broken.fill(0xff, 60, 120);
    await expect(look(broken)).rejects.toThrow();
    const bomb = await zipOf({ 'a.json': new Uint8Array(200 * 1024 * 1024).fill(0x20) });
    expect(['unknown', 'uncounted']).toContain((await look(bomb)).kind);
  });

  it('is of the tool that was named, or says whose it is', async () => {
    expect(await look(sample(BANDIT), { toolId: 'bandit' })).toEqual(await look(sample(BANDIT)));
    expect(await look(sample(BANDIT), { toolId: 'gitleaks' })).toEqual({ kind: 'wrong_tool', title: 'Bandit' });
    expect(await look(sample(BANDIT), { toolId: 'tool-of-another-plugin' })).toEqual({ kind: 'packed' });
  });

  it('that nobody knows says so, and a table offers its columns', async () => {
    expect(await look(text('{"hello": "world"}'))).toMatchObject({ kind: 'unknown' });
    expect(await look(text('Title,Level,File\nXSS,High,a.js\n'))).toEqual({ kind: 'table' });
    expect(await look(text(''))).toEqual({ kind: 'empty' });
    expect(await look(text(''), { toolId: 'nuclei' })).toMatchObject({ kind: 'counted', findings: 0 });
  });

  it('that is larger than what is read is counted up to there', async () => {
    const result = {
      check_id: 'r',
      path: 'a.py',
      start: { line: 1, col: 1 },
      end: { line: 1, col: 2 },
      extra: { message: 'm', severity: 'ERROR' },
    };
    const report = JSON.stringify({
      version: '1.0.0',
      errors: [],
      results: Array.from({ length: 20_000 }, () => result),
    });
    const seen = await look(text(report), { maxBytes: 1024 * 1024 });
    expect(seen).toMatchObject({ kind: 'counted', toolId: 'opengrep', isMore: true });
    expect(seen.kind === 'counted' && seen.findings > 100 && seen.findings < 20_000).toBe(true);
  });

  it('that is hostile is refused or given up in time', async () => {
    const bomb = new Uint8Array(
      gzipSync(NODE_BUFFER.concat([NODE_BUFFER.from('{"results": ['), NODE_BUFFER.alloc(200 * 1024 * 1024, 0x20)])),
    );
    expect(['unknown', 'uncounted']).toContain((await look(bomb)).kind);
    const deep = `{"version": "1.0.0", "results": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "errors": []}`;
    expect((await look(text(deep), { toolId: 'opengrep' })).kind).toBe('refused');
    const invalid = sample(BANDIT);
    invalid.fill(0xff, 40, 60);
    expect(['counted', 'refused', 'unknown']).toContain((await look(invalid, { toolId: 'bandit' })).kind);
    await expect(look(new Uint8Array(gzipSync(sample(BANDIT)).subarray(0, 200)))).rejects.toThrow();
  });
});

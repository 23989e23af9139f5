import { type RecognitionRequest, recogniseWith } from '@breakwater/core/ingest/model/recognise-report.ts';
import type { ReportPreview } from '@breakwater/core/ingest/model/report-preview.ts';
import { createReportTools } from '@breakwater/core/shell/plugins/report-tools.ts';
import { plugin } from '@breakwater/plugin-scanners';
import { parsers } from '@breakwater/plugin-scanners/parsers';
import { onlyFileOf } from './zip-file.ts';

/** As the server keeps of a report to recognise it. */
const HEAD_BYTES = 64 * 1024;
/** Unpacked bytes that are read to count; of larger reports the count is a lower bound. */
const MAX_BYTES = 32 * 1024 * 1024;

const tools = createReportTools([{ plugin, parsers }]);

export interface ReportFile extends Pick<RecognitionRequest, 'toolId'> {
  file: Blob;
  name: string;
  /** Reads less of a report, for tests. */
  maxBytes?: number;
}

/** Ends the reading of a report that is larger than what is read. */
class Enough extends Error {}

async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    // a packing that turned out to be damaged says so when it is read, not when it is left
    await reader.cancel().catch(() => undefined);
  }
}

async function* upTo(maxBytes: number, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let rest = maxBytes;
  for await (const piece of pieces) {
    if (piece.length > rest) {
      if (rest > 0) yield piece.subarray(0, rest);
      throw new Enough();
    }
    rest -= piece.length;
    yield piece;
  }
}

const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

const isZip = (start: Uint8Array): boolean => startsWith(start, 0x50, 0x4b, 3, 4);

/** Zst and the packings that the server refuses. */
const isPacked = (start: Uint8Array): boolean =>
  startsWith(start, 0x28, 0xb5, 0x2f, 0xfd) ||
  startsWith(start, 0xfd, 0x37, 0x7a, 0x58) ||
  startsWith(start, 0x42, 0x5a, 0x68) ||
  startsWith(start, 0x37, 0x7a, 0xbc, 0xaf) ||
  startsWith(start, 0x52, 0x61, 0x72, 0x21);

/** How to read the report that a file is, or that is packed in it; undefined where only the server can. */
const readerOf = async (file: Blob): Promise<(() => ReadableStream<Uint8Array>) | undefined> => {
  const start = new Uint8Array(await file.slice(0, 6).arrayBuffer());
  if (isPacked(start)) return undefined;
  if (isZip(start)) return (await onlyFileOf(file))?.open;
  const isGzip = startsWith(start, 0x1f, 0x8b);
  return () => (isGzip ? file.stream().pipeThrough(new DecompressionStream('gzip')) : file.stream());
};

const headOf = async (pieces: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const head = Buffer.alloc(HEAD_BYTES);
  let length = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(0, HEAD_BYTES - length);
    head.set(part, length);
    length += part.length;
    if (length === HEAD_BYTES) break;
  }
  return head.subarray(0, length);
};

type KnownTool = NonNullable<ReturnType<typeof tools.resolveTool>>;

const count = async ({ id: toolId, title, parser, family }: KnownTool, report: AsyncIterable<Uint8Array>) => {
  const counts = { findings: 0, components: 0, unreadable: 0 };
  const { signal } = new AbortController();
  try {
    for await (const { kind } of parser.parse(report, { signal, ...(family === null ? {} : { family }) })) {
      if (kind === 'finding') counts.findings += 1;
      else if (kind === 'component') counts.components += 1;
      else if (kind === 'unreadable') counts.unreadable += 1;
    }
  } catch (error) {
    if (!(error instanceof Enough)) throw error;
    // a format that is read as a whole gave nothing yet
    if (counts.findings + counts.components === 0) return { kind: 'uncounted', toolId, title } as const;
    return { kind: 'counted', toolId, title, ...counts, isMore: true } as const;
  }
  return { kind: 'counted', toolId, title, ...counts, isMore: false } as const;
};

const isRefusal = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('report_');

/**
 * What the server would say of a report: its importers recognise it and read it, by the same code. Only a thread that can be ended may call
 * this.
 */
export const previewReport = async ({
  file,
  name,
  toolId,
  maxBytes = MAX_BYTES,
}: ReportFile): Promise<ReportPreview> => {
  const named = toolId === null ? null : tools.resolveTool(toolId);
  // an importer of a plugin that only the server has
  if (toolId !== null && named === null) return { kind: 'packed' };
  const read = await readerOf(file);
  if (read === undefined) return { kind: 'packed' };
  if (file.size === 0 && named?.parser.emptyMeansNone !== true) return { kind: 'empty' };
  const head = await headOf(piecesOf(read()));
  const { found: foundId, table } = await recogniseWith(tools, { toolId: named?.id ?? null, head, fileName: name });
  const found = foundId === null ? null : tools.resolveTool(foundId);
  if (table !== null && (named === null || named.id === table)) return { kind: 'table' };
  if (named !== null && found !== null && found.tool !== named.tool) return { kind: 'wrong_tool', title: found.title };
  const tool = named ?? found;
  if (tool === null) return { kind: 'unknown', asked: tools.tools().map(({ id }) => id) };
  try {
    return await count(tool, upTo(maxBytes, piecesOf(read())));
  } catch (error) {
    if (isRefusal(error)) return { kind: 'refused', title: tool.title, why: error.message };
    throw error;
  }
};

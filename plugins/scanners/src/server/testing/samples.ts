import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type {
  Component,
  NormalizedFinding,
  ReportCoverage,
  ReportInfo,
  ReportParser,
  ReportRecord,
  UnreadableRecord,
} from '@breakwater/sdk';

const FOLDER = new URL('../__fixtures__/reports/', import.meta.url);

/** Facts of one result, as expected.json has them. */
export interface Fact {
  id?: string;
  title?: string;
  severity?: string;
  level?: string;
  security_severity?: string;
  cwe?: number | number[];
  cve?: string | string[];
  file_path?: string;
  line?: number;
  component?: string;
  component_version?: string;
  fix_version?: string;
}

export interface Sample {
  file: string;
  tool: string;
  expect: 'findings' | 'empty' | 'components_only' | 'error';
  expected_count: number;
  findings?: Fact[];
  native_severity_counts?: Record<string, number>;
  class_counts?: Record<string, number>;
  kinds?: Record<string, number>;
  suppressed_count?: number;
  /** Results as listed, where a report repeats some. */
  listed_count?: number;
  components_count?: number;
  components?: { name?: string; version?: string; type?: string; purl?: string; ref?: string }[];
}

export function samples(): Sample[] {
  const text = readFileSync(new URL('expected.json', FOLDER), 'utf8');
  const { files }: { files: Sample[] } = JSON.parse(text);
  return files;
}

/** The sample's bytes, unpacked where it is stored gzipped. */
export function sampleBytes(file: string): Buffer {
  const plain = new URL(file, FOLDER);
  return existsSync(fileURLToPath(plain))
    ? readFileSync(plain)
    : gunzipSync(readFileSync(new URL(`${file}.gz`, FOLDER)));
}

/** The bytes in pieces, as an upload arrives. */
export async function* inChunks(bytes: Uint8Array, size = 64 * 1024): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface Parsed {
  findings: NormalizedFinding[];
  components: Component[];
  unreadable: UnreadableRecord[];
  info: ReportInfo[];
  /** What the scan looked at, as the report says. */
  coverage: ReportCoverage[];
  /** Why the scan is incomplete. */
  failures: string[];
}

export async function parseBytes(
  parser: ReportParser,
  bytes: Uint8Array,
  family?: string,
  chunk?: number,
): Promise<Parsed> {
  const parsed: Parsed = { findings: [], components: [], unreadable: [], info: [], coverage: [], failures: [] };
  const options = { signal: new AbortController().signal, ...(family === undefined ? {} : { family }) };
  for await (const record of parser.parse(inChunks(bytes, chunk), options)) sortIn(parsed, record);
  return parsed;
}

export function parseText(parser: ReportParser, text: string, family?: string): Promise<Parsed> {
  return parseBytes(parser, Buffer.from(text), family);
}

function sortIn(parsed: Parsed, record: ReportRecord): void {
  if (record.kind === 'finding') parsed.findings.push(record);
  else if (record.kind === 'component') parsed.components.push(record);
  else if (record.kind === 'unreadable') parsed.unreadable.push(record);
  else if (record.kind === 'coverage') parsed.coverage.push(record);
  else if (record.kind === 'failure') parsed.failures.push(record.why);
  else parsed.info.push(record);
}

import type { Location, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { normalisePath } from '../../lib/findings/packages.ts';
import { csvColumns, readRows } from '../../lib/formats/csv.ts';
import { headText, peek, readReport, toUtf8 } from '../../lib/input/decode.ts';
import { isZip, readZip, type ZipPart, zipNames } from '../../lib/input/zip.ts';
import { Tally, wrongTool } from '../../lib/json/records.ts';
import { LIMITS } from '../../lib/limits.ts';
import { fields } from '../../lib/values/read.ts';
import { orSarif } from '../sarif/coverage.ts';
import { parseSarifOf, sarifScore } from '../sarif/parser.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { binaryCheck, cell, componentCheck, componentRecords, securityCheck, sourceCheck } from './component.ts';
import { binaryFinding, securityFinding } from './vulnerability.ts';

const NAME = 'Black Duck';
const SARIF = SARIF_WRITERS.blackDuck;
const SECURITY = /(?:^|[_-])security/i;
const COMPONENTS = /(?:^|[_-])component/i;
const SOURCES = /(?:^|[_-])(?:source|file)/i;

/** True for a table of an archive whose name, without its folder, says what it holds. */
const isTable = (name: string, kind: RegExp): boolean =>
  name.toLowerCase().endsWith('.csv') && kind.test(name.slice(name.lastIndexOf('/') + 1));

type Kind = 'security' | 'binary' | 'components' | 'none';
type Delimiter = ',' | ';';

function recogniseBlackDuck(head: Uint8Array): number {
  if (isZip(head)) return zipNames(head).some((name) => isTable(name, SECURITY)) ? 0.95 : 0;
  const { kind } = tableOf(headText(head));
  return kind === 'none' ? sarifScore(head, SARIF) : 0.96;
}

/** What a table is, by the names of its columns. */
function tableOf(bytes: Buffer): { kind: Kind; delimiter: Delimiter } {
  const delimiter: Delimiter = csvColumns(bytes, ';').length > csvColumns(bytes).length ? ';' : ',';
  const names = new Set(csvColumns(bytes, delimiter).map(columnName));
  const has = (...wanted: readonly string[]) => wanted.every((name) => names.has(name));
  if (has('vulnerability id', 'remediation status') || has('vulnerability id', 'security risk'))
    return { kind: 'security', delimiter };
  if (has('component', 'cve', 'object') || has('component', 'cve', 'matching type'))
    return { kind: 'binary', delimiter };
  const isList = has('component name', 'license names') || has('component name', 'component policy status');
  return { kind: isList && !names.has('path') ? 'components' : 'none', delimiter };
}

function columnName(name: string): string {
  return name.trim().toLowerCase();
}

/** @throws ReportError */
async function* parseBlackDuck(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncGenerator<ReportRecord> {
  const { signal } = options;
  const start = await peek(report, 64 * 1024);
  if (isZip(start.head)) yield* readArchive(await readReport(start.report, signal), signal);
  else if (sarifScore(start.head, SARIF) > 0) yield* parseSarifOf(SARIF, start.report, options);
  else yield* readPlain(await readReport(start.report, signal), signal);
}

async function* readPlain(bytes: Buffer, signal: AbortSignal): AsyncGenerator<ReportRecord> {
  const tally = new Tally();
  const { kind } = tableOf(bytes);
  if (kind === 'none') throw wrongTool(NAME, 'its first line does not name the columns of one of its tables');
  yield { kind: 'report', toolName: kind === 'binary' ? 'Black Duck Binary Analysis' : NAME };
  yield* readTable(bytes, { tally, signal, places: new Map() });
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

interface Reading {
  tally: Tally;
  signal: AbortSignal;
  places: Places;
}

/** Files of a component, by its id and the id of its version. */
type Places = ReadonlyMap<string, readonly Location[]>;

async function* readTable(bytes: Buffer, { tally, signal, places }: Reading): AsyncGenerator<ReportRecord> {
  const { kind, delimiter } = tableOf(bytes);
  const source = { bytes, delimiter, column: columnName, tally, signal };
  if (kind === 'security')
    yield* readRows({ ...source, check: securityCheck }, (row) => securityFinding(row, placesOf(fields(row), places)));
  else if (kind === 'binary') yield* readRows({ ...source, check: binaryCheck }, binaryFinding);
  else if (kind === 'components') yield* readRows({ ...source, check: componentCheck }, componentRecords);
}

/** A project version's report: `security.csv`, and beside it where components are and which licences they have. */
async function* readArchive(bytes: Buffer, signal: AbortSignal): AsyncGenerator<ReportRecord> {
  const parts = await readZip(bytes);
  const security = parts.filter(({ name }) => isTable(name, SECURITY));
  const components = parts.filter(({ name }) => isTable(name, COMPONENTS));
  if (security.length === 0) throw wrongTool(NAME, 'the archive holds no “security.csv”');
  const tally = new Tally();
  const places = new Map<string, Location[]>();
  for (const part of parts.filter(({ name }) => isTable(name, SOURCES)))
    await collectPlaces(await whole(part), places, signal);
  yield { kind: 'report', toolName: NAME };
  for (const part of [...security, ...components]) {
    const table = await whole(part);
    const { kind } = tableOf(table);
    // Other files of the archive may be there in name only.
    if (kind !== 'none') yield* readTable(table, { tally, signal, places });
    else if (isTable(part.name, SECURITY)) throw wrongTool(NAME, `“${part.name.slice(-100)}” has other columns`);
  }
  tally.assertReadable((reason) => wrongTool(NAME, reason));
}

async function whole(part: ZipPart): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of part.read()) chunks.push(chunk);
  return toUtf8(Buffer.concat(chunks));
}

/** Older reports number projects, newer ones components. */
function keyOf(row: Record<string, unknown>): string | undefined {
  const id = cell(row, 'component id', 'project id');
  return id === undefined ? undefined : `${id} ${cell(row, 'version id') ?? ''}`;
}

function placesOf(row: Record<string, unknown>, places: Places): readonly Location[] {
  const key = keyOf(row);
  return key === undefined ? [] : (places.get(key) ?? []);
}

async function collectPlaces(table: Buffer, places: Map<string, Location[]>, signal: AbortSignal): Promise<void> {
  const delimiter: Delimiter = csvColumns(table, ';').length > csvColumns(table).length ? ';' : ',';
  const source = { bytes: table, delimiter, column: columnName, check: sourceCheck, tally: new Tally(), signal };
  const rows = readRows(source, (record) => {
    const row = fields(record);
    const key = keyOf(row);
    const path = fullPath(row);
    if (key === undefined || path === undefined) return undefined;
    const known = places.get(key) ?? [];
    places.set(key, known);
    if (known.length < LIMITS.locations && !known.some((place) => place.path === path)) known.push({ path });
    return undefined;
  });
  // A row without a path is no loss: it only says where a component is.
  for await (const _ of rows) signal.throwIfAborted();
}

/** A file inside an archive: `/plugins/saml.hpi!/WEB-INF/lib/velocity.jar`. */
function fullPath(row: Record<string, unknown>): string | undefined {
  const path = cell(row, 'path');
  const archive = cell(row, 'archive context');
  if (path === undefined) return undefined;
  return normalisePath(archive === undefined ? path : `${archive.replace(/\/$/, '')}/${path.replace(/^\//, '')}`);
}

export const blackDuck: ReportParser = {
  tool: 'black_duck',
  aliases: ['blackduck'],
  formats: ['csv', 'zip', 'sarif'],
  reads: orSarif({ part: {}, failure: [], identity: 'vulnerability and component' }),
  recognise: recogniseBlackDuck,
  parse: parseBlackDuck,
};

import type { AnyConnector } from '../../../../connector.ts';
import type { Json } from '../../../../context.ts';
import { ReportError, type ReportParser } from '../../../../findings/report-parser.ts';
import type { Fixtures } from '../../../fixtures.ts';
import { condense, type KitCheck, type KitIssue, notApplicable } from '../../check.ts';
import { type ReadReport, readRecordedReport } from '../../recorded-report.ts';
import { recordsOf, unimportable } from '../reports.ts';
import { OTHER_VALUES, spoiled } from './spoiled.ts';

const NAME = 'spoiled reports';
const MOST_SPOILED = 150;
const CUTS = 24;
const FLIPS = 24;
/** Deeper than any report is. */
const DEEP = 50_000;
/** Of one report; whole ones take milliseconds. */
const LONGEST_MS = 5000;

interface Reports {
  readonly folder: string;
  readonly parsers: readonly ReportParser[];
  readonly fixtures: Fixtures;
}

/**
 * A report that is cut short, damaged or not as usual is refused with a ReportError, or read as far as it can be: what comes out can be
 * imported, and the parser comes to an end.
 */
export async function checkSpoiledReports(connector: AnyConnector, reports: Reports): Promise<KitCheck> {
  const parser = reports.parsers.find(({ tool }) => tool === connector.parser?.tool);
  if (parser === undefined) return notApplicable(NAME, 'it reads no reports');
  const recorded = reports.fixtures.reports?.[parser.tool] ?? [];
  if (recorded.length === 0) {
    const fix = `Lay a report of the tool beside conformance.json, and name it in reports.${parser.tool}.`;
    const issue = { what: 'it reads reports, and none was recorded', where: 'conformance.json', fix };
    return { tier: 'gold', name: NAME, tried: 0, issues: [issue] };
  }
  const found: KitIssue[] = [];
  for (const [index, report] of recorded.entries()) {
    found.push(...(await issuesOf(parser, await readRecordedReport(report, index, reports.folder))));
  }
  return { tier: 'gold', name: NAME, tried: recorded.length, issues: condense(found) };
}

interface Variant {
  readonly what: string;
  readonly bytes: Uint8Array;
}

async function issuesOf(parser: ReportParser, { name, bytes }: ReadReport): Promise<KitIssue[]> {
  const issues: KitIssue[] = [];
  for (const { what, bytes: variant } of variantsOf(bytes)) {
    const problem = await problemOf(parser, variant);
    if (problem !== null) issues.push({ ...problem, where: `reports.${parser.tool}, ${name}, ${what}` });
  }
  return issues;
}

function variantsOf(bytes: Uint8Array): Variant[] {
  const text = Buffer.from(bytes).toString('utf8');
  const encode = (one: string): Uint8Array => new TextEncoder().encode(one);
  return [
    { what: 'nothing at all', bytes: new Uint8Array() },
    { what: 'with a byte order mark', bytes: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]) },
    { what: 'in UTF-16', bytes: Buffer.from(`\uFEFF${text}`, 'utf16le') },
    { what: 'with lines that end as in Windows', bytes: encode(text.replaceAll('\n', '\r\n')) },
    { what: 'a page of HTML', bytes: encode('<!DOCTYPE html><html><body>Sign in</body></html>') },
    { what: 'lists in lists', bytes: encode('['.repeat(DEEP)) },
    { what: 'elements in elements', bytes: encode('<a>'.repeat(DEEP)) },
    ...Array.from({ length: CUTS }, (_, index) => {
      const at = Math.floor((bytes.byteLength * (index + 1)) / (CUTS + 1));
      return { what: `cut after ${at} bytes`, bytes: bytes.subarray(0, at) };
    }),
    ...Array.from({ length: FLIPS }, (_, index) => {
      const at = Math.floor((bytes.byteLength * (index + 0.5)) / FLIPS);
      const damaged = Uint8Array.from(bytes);
      damaged[at] = (damaged[at] ?? 0) ^ 0xa5;
      return { what: `with byte ${at} damaged`, bytes: damaged };
    }),
    ...jsonVariants(text, encode),
  ];
}

function jsonVariants(text: string, encode: (text: string) => Uint8Array): Variant[] {
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return spoiled(value, { limit: MOST_SPOILED, others: OTHER_VALUES }).map((one) => ({
    what: one.what,
    bytes: encode(JSON.stringify(one.value)),
  }));
}

async function problemOf(parser: ReportParser, bytes: Uint8Array): Promise<Pick<KitIssue, 'what' | 'fix'> | null> {
  const start = performance.now();
  const tool = parser.tool;
  try {
    const records = await recordsOf(parser, bytes, Math.max(1, bytes.byteLength));
    const [strange] = unimportable(records);
    if (strange !== undefined) {
      const fix = 'Yield { kind: "unreadable" } for what cannot be understood.';
      return { what: `the parser of ${tool} yields a finding that cannot be imported: ${strange}`, fix };
    }
  } catch (error) {
    if (!(error instanceof ReportError)) {
      const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      const fix = 'Check what is read before it is used, and refuse with a ReportError.';
      return { what: `the parser of ${tool} crashes with ${said.slice(0, 120)}`, fix };
    }
  }
  const tookMs = performance.now() - start;
  if (tookMs < LONGEST_MS) return null;
  return { what: `the parser of ${tool} takes ${Math.round(tookMs / 1000)} s`, fix: 'Read what comes in one pass.' };
}

import { ReportError, type ReportParser } from '../../../findings/report-parser.ts';
import type { RecordedReport } from '../../fixtures.ts';
import { recordsOf, unimportable } from '../checks/reports.ts';
import { type Scrubbed, scrubbing } from './scrub.ts';
import { foundIn, type TriedFinding } from './tried-finding.ts';

/** What a report came to. */
export interface TriedReport {
  readonly isOk: boolean;
  /** Why it could not be read; empty where it was. */
  readonly message: string;
  /** Findings in it. */
  readonly count: number;
  /** The first of them. */
  readonly findings: readonly TriedFinding[];
  /** The first records that became no finding, and why. */
  readonly unreadable: readonly string[];
}

interface ReadReport {
  readonly tried: TriedReport;
  /** Null where it could not be read. */
  readonly recorded: RecordedReport | null;
  readonly scrubbed: Scrubbed;
}

const HEAD_BYTES = 64 * 1024;
const MOST_SHOWN = 20;
const SURE = 0.5;

const refused = (message: string): ReadReport => ({
  tried: { isOk: false, message, count: 0, findings: [], unreadable: [] },
  recorded: null,
  scrubbed: new Map(),
});

/** Reads a report by the parser of the document, once secrets of the form and what looks like one are taken out, and records it as it was read. */
export async function tryReport(
  parser: ReportParser,
  report: string,
  secrets: Readonly<Record<string, string>>,
): Promise<ReadReport> {
  const { result: text, scrubbed } = scrubbing(secrets, (scrubber) => scrubber.text(report));
  const bytes = new TextEncoder().encode(text);
  if (parser.recognise(bytes.subarray(0, HEAD_BYTES)) < SURE) {
    // no text: of the kit, as its other sentences
    return refused(
      '"recognise" does not know this report: name texts that stand in its first 64 KiB, and the right format.',
    );
  }
  try {
    const expect = await recordsOf(parser, bytes, bytes.byteLength);
    const [issue] = unimportable(expect);
    const { findings, unreadable } = foundIn(expect);
    if (issue !== undefined) return refused(`A finding of it cannot be imported: ${issue}`);
    const shown = { findings: findings.slice(0, MOST_SHOWN), unreadable: unreadable.slice(0, MOST_SHOWN) };
    return {
      tried: { isOk: true, message: '', count: findings.length, ...shown },
      recorded: { text, expect },
      scrubbed,
    };
  } catch (error) {
    if (!(error instanceof ReportError)) throw error;
    return refused(error.message);
  }
}

import type { Component, NormalizedFinding } from './finding.ts';

/** A record of a readable report that could not be understood. The rest of the report is imported. */
export interface UnreadableRecord {
  kind: 'unreadable';
  /** Where: `results[14]`, `line 3`. */
  where: string;
  why: string;
}

/** Facts about the report as a whole. Yielded at most once, before or after the records. */
export interface ReportInfo {
  kind: 'report';
  /** Name of the tool as the report gives it. */
  toolName?: string;
  toolVersion?: string;
  /** What was scanned, without what changes from run to run: an image without its tag, not a checkout path. */
  target?: string;
  /** ISO 8601. */
  date?: string;
}

export type ReportRecord = NormalizedFinding | Component | UnreadableRecord | ReportInfo;

export interface ParseOptions {
  signal: AbortSignal;
  /** Family chosen by the catalogue id (`trivy-container`); a parser that knows better per result ignores it. */
  family?: string;
}

/**
 * Reads one tool's reports. Pure: bytes in, records out; no network, clock or file system.
 * Bytes are as uploaded but already unpacked from gzip.
 */
export interface ReportParser {
  /** Tool name of `POST /upload_scan`, such as `grype`. */
  tool: string;
  /** Further names that mean the same: `semgrep` for `opengrep`. */
  aliases?: string[];
  /** Short names of the formats it reads: `json`, `xml`, `csv`, `sarif`. */
  formats: string[];
  /** True when 0 bytes is this tool's way to say "nothing found". */
  emptyMeansNone?: boolean;
  /** How sure that `head` (the first 64 KiB at most) begins a report of this tool, 0-1. The name is a hint, never proof. */
  recognise(head: Uint8Array, name?: string): number;
  /**
   * @throws ReportError when the report as a whole is broken or not this tool's; nothing may be imported then.
   */
  parse(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord>;
}

/** Why a report as a whole is refused. */
export type ReportErrorCode = 'report_malformed' | 'report_wrong_tool' | 'report_too_complex' | 'report_empty';

/** Refusal of a whole report. `message` is shown to the person who uploaded it: say what is wrong and what to do. */
export class ReportError extends Error {
  readonly code: ReportErrorCode;
  constructor(code: ReportErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ReportError';
    this.code = code;
  }
}

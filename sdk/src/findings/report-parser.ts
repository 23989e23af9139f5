import type { Component, FindingType, NormalizedFinding, Severity } from './finding.ts';
import type { Separator, TableField, TableMapping } from './table-mapping.ts';

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

/**
 * What the scan behind a report looked at. Yielded any number of times, also between findings: what several say adds up. A report closes
 * only findings of its own part, and only below the folder that its scanned files have in common.
 */
export interface ReportCoverage {
  kind: 'coverage';
  /**
   * What sets the report apart from the tool's reports about other parts of the same target: `{ category: 'javascript' }`,
   * `{ account: '123456789012' }`. Names as declared in `reads.part`; values stay the same from run to run.
   */
  part?: Readonly<Record<string, string>>;
  /** Files that were scanned, with results or without, written as in `Location.path`. Only for formats that list all of them. */
  files?: readonly string[];
  /**
   * Kinds of findings that were looked for, whether there are any or not. Of a kind that is not named and that the report has none of,
   * while it has others, nothing is closed unasked: `trivy --scanners vuln` says nothing about secrets.
   */
  types?: readonly FindingType[];
  /** Rules (`ruleId`) that could not be evaluated this time. A finding of theirs that the report does not have stays as it is. */
  unchecked?: readonly string[];
}

/**
 * The scan failed or left something out, as the report itself says: its status, an error, a count that the list does not hold. What was
 * read is imported, nothing is closed, and the scan is "incomplete".
 */
export interface ScanFailure {
  kind: 'failure';
  /** For people, with the tool's own words: `Parse error in src/a.py`. At most 500 characters are kept. */
  why: string;
}

export type ReportRecord = NormalizedFinding | Component | UnreadableRecord | ReportInfo | ReportCoverage | ScanFailure;

/** How a format tells what a report may close. Shown in documentation; a part that is not declared here is ignored. */
export interface ReportConventions {
  /** Where each value of the part is read: `{ category: 'runs[].automationDetails.id' }`. Empty: the format does not say. */
  part: Readonly<Record<string, string>>;
  /**
   * The part only tells tools apart that share the format. It does not say how much of the application was looked at: closing is held back as
   * without a part.
   */
  isPartOnlyTool?: true;
  /** Where the scanned files are listed: `paths.scanned`. */
  files?: string;
  /** How a failed or partial scan is told: `runs[].invocations[].executionSuccessful is false`. Empty: the format does not say. */
  failure: readonly string[];
  /** What makes a result the same in the next report, in words: `rule, path and code`. */
  identity: string;
}

export interface ParseOptions {
  signal: AbortSignal;
  /** Family chosen by the catalogue id (`trivy-container`); a parser that knows better per result ignores it. */
  family?: string;
  /** How the columns of the report are read; only for parsers with `tables`. */
  mapping?: TableMapping;
}

/** What the beginning of a table shows. */
export interface TablePreview {
  separator: Separator;
  /** Names of the columns, each once. */
  columns: readonly string[];
  /** The first rows, as they stand. */
  rows: readonly (readonly string[])[];
  /** By the names of the columns. */
  proposal: TableMapping;
  /** Words of the severity column that the beginning holds, and what they are taken for; null where that is not known. */
  words: readonly { word: string; severity: Severity | null }[];
  /** What the first rows become with the mapping. */
  records: readonly ReportRecord[];
}

/** What an importer can say of tables that it does not know. Pure, as the parser. */
export interface TableReader {
  readonly fields: readonly TableField[];
  /** True for what is a table of any tool: rows of cells below a row of names. `head` is the beginning of the report. */
  isTable(head: Uint8Array): boolean;
  /**
   * @param head the beginning of the report; a row that it cuts off is left out unless it is the whole report.
   * @param mapping the proposal where there is none.
   * @throws ReportError where it is no table
   */
  preview(head: Uint8Array, options: { isWhole: boolean; mapping?: TableMapping }): Promise<TablePreview>;
}

/** A file that helps to write a format by hand or by program. */
export interface FormatFile {
  /** `template.csv` */
  name: string;
  /** For people. */
  title: string;
  contentType: string;
  text: string;
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
  /** How part, failure and identity are read. The conformance kit asks every parser for it. */
  reads?: ReportConventions;
  /** Set where it reads tables that no parser knows, once somebody has said what their columns are. */
  tables?: TableReader;
  /** Schema and templates of a format that people write themselves. */
  files?: readonly FormatFile[];
  /** How sure that `head` (the first 64 KiB at most) begins a report of this tool, 0-1. The name is a hint, never proof. */
  recognise(head: Uint8Array, name?: string): number;
  /**
   * @throws ReportError when the report as a whole is broken or not this tool's; nothing may be imported then.
   */
  parse(report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord>;
}

/** A parser as the host calls it, which may run in another process. */
export interface HostParser extends Omit<ReportParser, 'recognise'> {
  recognise(head: Uint8Array, name?: string): number | Promise<number>;
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

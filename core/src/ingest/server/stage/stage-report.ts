import { setImmediate as nextTurn } from 'node:timers/promises';
import { ReportError, type ReportInfo, type ReportRecord, type TableMapping } from '@breakwater/sdk';
import type pg from 'pg';
import type { ReportTool } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { unpackReport } from '../scans/report-store.ts';
import { type Coverage, createCoverage, NO_COVERAGE } from './coverage.ts';
import type { ImportPulse } from './import-watch.ts';
import { createPreparation, type ReportFacts } from './prepare-finding.ts';
import type { Stage } from './staging.ts';

/** Unreadable records that are kept by name; more are only counted. */
const MAX_LISTED = 200;
const MAX_WHY = 500;
/** Reasons of an incomplete scan that are kept by name. */
const MAX_FAILURES = 50;
/** Records after which what waits for the network has its turn: a parser may go on for long without waiting for anything. */
const TURN = 64;
/** No report holds more records than this; an importer that goes on has lost its way. A packed archive holds more than its bytes. */
const MAX_RECORDS_PER_BYTE = 10;
const RECORDS_OF_ANY_REPORT = 1000;

export interface StagedReport {
  info: ReportInfo | undefined;
  suppressed: number;
  unreadableCount: number;
  unreadable: { where: string; why: string }[];
  /** What the scan looked at, as the report says. */
  coverage: Coverage;
  /** Why the scan covers less than it should, as the report says; empty for a whole one. */
  failures: string[];
}

/** What a scan that is taken back without one before it reports. */
export const NOTHING_REPORTED: StagedReport = {
  ...{ info: undefined, suppressed: 0, unreadableCount: 0, unreadable: [], coverage: NO_COVERAGE, failures: [] },
};

const addFailure = (failures: string[], why: string): void => {
  const text =
    why
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, MAX_WHY) || msg('The scan did not end well.');
  if (failures.length < MAX_FAILURES && !failures.includes(text)) failures.push(text);
};

const CHUNK = 'select data from report_chunks where client_id = $1 and report_id = $2 and ordinal = $3';

/** The stored report, unpacked, piece by piece. */
export async function* readReport(
  client: pg.ClientBase,
  report: { clientId: string; reportId: string },
  onBytes: (total: number) => void,
): AsyncGenerator<Uint8Array> {
  let total = 0;
  const pieces = unpackReport(async (ordinal) => {
    const found = await client.query<{ data: Buffer }>(CHUNK, [report.clientId, report.reportId, ordinal]);
    return found.rows[0]?.data;
  });
  for await (const piece of pieces) {
    total += piece.length;
    onBytes(total);
    yield piece;
  }
}

export interface StageRequest {
  tool: ReportTool;
  /** How the columns of the report are read; null for what the importer knows. */
  mapping: TableMapping | null;
  bytes: AsyncIterable<Uint8Array>;
  facts: ReportFacts;
  stage: Stage;
  signal: AbortSignal;
  pulse: ImportPulse;
  /** Called between records, seldom enough to wait for. */
  onBatch: () => Promise<void>;
}

/** Counts the bytes of a report, and refuses more records than they can hold. */
const createRecordLimit = (source: AsyncIterable<Uint8Array>) => {
  let size = 0;
  let records = 0;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for await (const piece of source) {
      size += piece.length;
      yield piece;
    }
  }
  return {
    bytes: bytes(),
    count: (): number => {
      records += 1;
      if (records > RECORDS_OF_ANY_REPORT + size * MAX_RECORDS_PER_BYTE) {
        throw new ReportError(
          'report_too_complex',
          msg('The importer finds no end in this report. Nothing was changed.'),
        );
      }
      return records;
    },
  };
};

/** Takes the records of one report, each into what becomes of it. */
const createIntake = ({ tool, stage, facts }: StageRequest) => {
  const prepare = createPreparation(facts);
  const report: StagedReport = { ...NOTHING_REPORTED, unreadable: [], failures: [] };
  const coverage = createCoverage(tool.parser.reads);
  const take = (record: ReportRecord): void => {
    if (record.kind === 'finding') {
      const finding = prepare(record);
      if (finding.isSuppressed) report.suppressed += 1;
      stage.addFinding(finding);
    } else if (record.kind === 'component') {
      stage.addComponent(record);
    } else if (record.kind === 'report') {
      report.info = record;
    } else if (record.kind === 'coverage') {
      coverage.add(record);
    } else if (record.kind === 'failure') {
      addFailure(report.failures, record.why);
    } else {
      report.unreadableCount += 1;
      const { where, why } = record;
      if (report.unreadable.length < MAX_LISTED)
        report.unreadable.push({ where: where.slice(0, MAX_WHY), why: why.slice(0, MAX_WHY) });
    }
  };
  return { take, result: (): StagedReport => ({ ...report, coverage: coverage.result() }) };
};

/** Reads a report to its end and stages all its records. @throws ReportError when it is broken as a whole. */
export const stageReport = async (request: StageRequest): Promise<StagedReport> => {
  const { tool, mapping, stage, pulse } = request;
  const intake = createIntake(request);
  // the database takes one batch in while the next is read
  let copying: Promise<void> = Promise.resolve();
  const limit = createRecordLimit(request.bytes);
  const family = tool.family === null ? {} : { family: tool.family };
  const options = { signal: request.signal, ...family, ...(mapping === null ? {} : { mapping }) };
  for await (const record of tool.parser.parse(limit.bytes, options)) {
    intake.take(record);
    pulse.beat();
    if (limit.count() % TURN === 0) await nextTurn();
    if (stage.isFull()) {
      await copying;
      copying = stage.flush();
      // a failure is met at the next await; until then it must not count as unhandled
      copying.catch(() => undefined);
      await request.onBatch();
    }
  }
  await copying;
  stage.finish();
  await stage.flush();
  return intake.result();
};

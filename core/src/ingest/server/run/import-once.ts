import type pg from 'pg';
import type { ReportTool, ReportTools } from '../../../platform/model/connector-catalogue.ts';
import {
  ASK_FOR_PRIORITIES,
  ASK_FOR_REPOSITORY_PRIORITIES,
  ASK_FOR_RESCORE,
  loadReferenceData,
  type QueryRows,
  readPriorityRules,
  SHARE_SCORING,
} from '../../../prioritisation/server/index.ts';
import { ASK_FOR_PACKAGE_USES, readKnownUses } from '../../../reachability/server/index.ts';
import { type MergedReport, mergeReport } from '../merge/merge-report.ts';
import { findRepeated } from '../merge/repeated-report.ts';
import { finishScan, type ScanRecord, writeProgress } from '../scans/scan-record.ts';
import { isoDate } from '../stage/finding-lines.ts';
import type { ImportPulse } from '../stage/import-watch.ts';
import { NOTHING_KNOWN, readKnownFindings } from '../stage/known-findings.ts';
import type { ReportFacts } from '../stage/prepare-finding.ts';
import { NOTHING_REPORTED, readReport, type StagedReport, stageReport } from '../stage/stage-report.ts';
import { createStage, type Stage, type StageOptions } from '../stage/staging.ts';
import { isFirstOfTool, toolIdsOf } from '../stage/tool-ids.ts';
import { requireSpace } from './disk-space.ts';
import type { ImportConnection } from './import-connection.ts';

/** Milliseconds that the parts of an import took, in their order. */
export type Phases = Record<string, number>;

/** A stop-watch: each mark ends a part. */
export const createPhases = (): { phases: Phases; mark: (name: string) => void } => {
  const phases: Phases = {};
  let last = performance.now();
  return {
    phases,
    mark: (name) => {
      const now = performance.now();
      phases[name] = Math.round((phases[name] ?? 0) + now - last);
      last = now;
    },
  };
};

export interface ImportRequest {
  connection: ImportConnection;
  clientId: string;
  scanId: string;
  tools: ReportTools;
  signal: AbortSignal;
  /** Watched from another thread, so that an import that is stuck is ended. */
  pulse?: ImportPulse | undefined;
  /** Names the code that imports. A report is only recognised as repeated after an import by the same; without, never. */
  codeId?: string | undefined;
}

/** An import on its way. */
export interface Work extends ImportRequest {
  scan: ScanRecord;
  pulse: ImportPulse;
  /** Null where a scan is taken back that had none before it: then nothing is reported. */
  reportId: string | null;
  tool: ReportTool;
  /** Holds the lock of the scan and the one transaction. */
  main: pg.Client;
  /** Reads the report and writes progress, which others are to see at once. */
  side: pg.Client;
}

const PROGRESS_EVERY_MS = 250;
/** Share of the way that reading is; the rest is the merge. */
const PARSE_SHARE = 70;

interface Progress {
  onBytes(total: number): void;
  parsing(): Promise<void>;
  merging(): Promise<void>;
}

const createProgress = (work: Work): Progress => {
  let last = 0;
  let bytes = 0;
  const write = (status: 'parsing' | 'merging', percentage: number): Promise<void> =>
    writeProgress(work.side, {
      clientId: work.clientId,
      scanId: work.scanId,
      repositoryId: work.scan.repositoryId,
      status,
      percentage,
    });
  return {
    onBytes: (total: number): void => {
      bytes = total;
      work.pulse.read(total);
    },
    parsing: async (): Promise<void> => {
      if (Date.now() - last < PROGRESS_EVERY_MS) return;
      last = Date.now();
      await requireSpace(work.connection.dataDirectory, 0);
      await write(
        'parsing',
        Math.min(PARSE_SHARE, Math.floor((bytes / Math.max(1, work.scan.sizeBytes)) * PARSE_SHARE)),
      );
    },
    merging: (): Promise<void> => write('merging', PARSE_SHARE),
  };
};

const undoOf = ({ undoes, scopeId, reportId }: ScanRecord) =>
  undoes === null || scopeId === null ? undefined : { scanId: undoes, scopeId, hasReport: reportId !== null };

const sourceOf = ({ clientId, scan }: Work) => ({ clientId, repositoryId: scan.repositoryId });

const toolIdsIn = ({ tool, tools }: Work) => toolIdsOf(tool, tools.tools());

/** What is known of the results before they are read. */
const guessResults = async (work: Work): Promise<StageOptions> => {
  const undoes = undoOf(work.scan);
  const source = { ...sourceOf(work), toolIds: toolIdsIn(work) };
  if (undoes === undefined && (await isFirstOfTool(work.main, source)))
    return { known: NOTHING_KNOWN, storesDetailsOf: work.clientId };
  const scope = { branch: work.scan.branch, part: work.scan.part, scopeId: undoes?.scopeId };
  return { known: await readKnownFindings(work.main, { ...source, ...scope }) };
};

/** All that decides besides the report what is written; what public data says reaches findings without an import too. */
const importedAsOf = ({ codeId, scan, tool }: Work): string | null =>
  codeId === undefined || scan.undoes !== null || scan.settlement !== null
    ? null
    : JSON.stringify([
        codeId,
        tool.id,
        tool.revision,
        scan.branch,
        scan.part,
        scan.acceptsOlder,
        scan.exposure,
        scan.dataClass,
        scan.mapping,
      ]);

/** A clock that goes wrong must not make every later report an older one. */
const CLOCK_TOLERANCE_MS = 24 * 3600 * 1000;

const ownDateOf = ({ scan }: Work, { info }: StagedReport): string | undefined => {
  const date = isoDate(info?.date);
  return date !== undefined && Date.parse(date) <= scan.createdAt.getTime() + CLOCK_TOLERANCE_MS ? date : undefined;
};

const readAndStage = async (
  work: Work,
  stage: Stage,
  progress: Progress,
  facts: ReportFacts,
): Promise<StagedReport> => {
  const { tool, side, clientId, signal, reportId, pulse } = work;
  const { mapping } = work.scan;
  pulse.enter('reading');
  if (reportId === null) return NOTHING_REPORTED;
  const bytes = readReport(side, { clientId, reportId }, progress.onBytes);
  return stageReport({ tool, mapping, facts, stage, signal, pulse, onBatch: progress.parsing, bytes });
};

const readFacts = async ({ side, clientId, scan, tool }: Work): Promise<ReportFacts> => {
  const query: QueryRows = async (text, values) => (await side.query(text, values)).rows;
  return {
    tool: tool.tool,
    exposure: scan.exposure,
    dataClass: scan.dataClass,
    reference: await loadReferenceData((text) => side.query(text)),
    priorities: await readPriorityRules(query, clientId),
    packageUses: await readKnownUses(query, { clientId, repositoryId: scan.repositoryId }),
  };
};

/** Reads the report of a scan and merges it, in the open transaction. @param useKnownFindings as for `importOnce`. */
const readAndMerge = async (work: Work, useKnownFindings: boolean, mark: (part: string) => void) => {
  const { main, side, clientId, scanId, scan, tool } = work;
  const facts = await readFacts(work);
  const progress = createProgress(work);
  await requireSpace(work.connection.dataDirectory, scan.sizeBytes);
  await progress.parsing();
  const stage = await createStage(main, useKnownFindings ? await guessResults(work) : { known: NOTHING_KNOWN });
  mark('known findings');
  const report = await readAndStage(work, stage, progress, facts);
  await requireSpace(work.connection.dataDirectory, 0);
  mark('read and stage');
  work.pulse.enter('merging');
  await progress.merging();
  const reportDate = isoDate(report.info?.date) ?? scan.createdAt.toISOString();
  const ownDate = ownDateOf(work, report);
  const { repositoryId, branch, part, settlement, acceptsOlder } = scan;
  const named = { repositoryId, toolIds: toolIdsIn(work), tool: tool.tool, branch, part, settlement, acceptsOlder };
  const request = { client: main, side, clientId, scanId, stage, report, reportDate, ownDate, mark, pulse: work.pulse };
  const merged = await mergeReport({ ...request, ...named, isPulled: scan.connectorId !== null, undo: undoOf(scan) });
  return { ...merged, unreadable: report.unreadable, reportDate: ownDate, facts };
};

/** What every writer of the organisation needs comes last: the aggregates, and whether its findings have to be scored again. */
const writeShared = async (
  main: pg.Client,
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
  { facts, isScored }: { facts: ReportFacts; isScored: boolean },
): Promise<void> => {
  await main.query(SHARE_SCORING, [clientId]);
  await main.query('select apply_deferred_rollups()');
  // scored with data that was replaced meanwhile: the scoring that goes through all findings comes back to these
  await main.query(ASK_FOR_RESCORE, [clientId, facts.reference.version]);
  await main.query(ASK_FOR_PRIORITIES, [clientId, facts.priorities.version]);
  await main.query(ASK_FOR_REPOSITORY_PRIORITIES, [clientId, repositoryId, facts.exposure, facts.dataClass]);
  if (isScored) await main.query(ASK_FOR_PACKAGE_USES, [clientId, repositoryId, facts.packageUses.version]);
};

/** One try, in one transaction. @param useKnownFindings whether results that a look at the findings shows to be known are left out. */
export const importOnce = async (
  work: Work,
  useKnownFindings: boolean,
): Promise<Omit<MergedReport, 'isScored'> & { phases: Phases }> => {
  const { main, clientId, scanId, reportId, pulse } = work;
  const { phases, mark } = createPhases();
  await main.query('begin');
  await main.query("select set_config('app.client_id', $1, true), defer_rollups()", [clientId]);
  const importedAs = importedAsOf(work);
  const source = sourceOf(work);
  const repeated =
    reportId === null || importedAs === null
      ? undefined
      : await findRepeated(main, { ...source, reportId, importedAs, pulse });
  mark('look for the same report');
  const merged =
    repeated === undefined
      ? await readAndMerge(work, useKnownFindings, mark)
      : { ...repeated, reportDate: undefined, facts: undefined };
  const { facts, alerts, isScored, ...outcome } = merged;
  await finishScan(main, { ...source, ...outcome, toolId: work.tool.id, scanId, importedAs });
  if (facts !== undefined) await writeShared(main, source, { facts, isScored });
  mark('rollups');
  await main.query('commit');
  mark('commit');
  return { ...outcome, alerts, phases };
};

import { threadId } from 'node:worker_threads';
import type { ReportTools } from '../../../platform/model/connector-catalogue.ts';
import { type Recognition, type RecognitionRequest, recogniseWith } from '../../model/recognise-report.ts';
import { createPulse } from '../stage/import-watch.ts';
import { type PreviewRequest, previewWith } from '../upload/recognise-report.ts';
import type { ImportConnection } from './import-connection.ts';
import { type ImportOutcome, runImport } from './run-import.ts';

/** What a worker thread is told; plain data. */
export interface ImportTask {
  connection: ImportConnection;
  clientId: string;
  scanId: string;
  /** Address of a module with `openReportTools(): Promise<ReportTools>`: plugins are found by the host, not by this slice. */
  toolsModule: string;
  /** Names the code of this process. */
  codeId: string;
  /** Where the thread shows that it gets on. */
  pulse: SharedArrayBuffer;
}

interface ToolsModule {
  openReportTools(): Promise<ReportTools>;
}

const isToolsModule = (module: unknown): module is ToolsModule =>
  typeof module === 'object' &&
  module !== null &&
  'openReportTools' in module &&
  typeof module.openReportTools === 'function';

const opened = new Map<string, Promise<ReportTools>>();

const openTools = async (address: string): Promise<ReportTools> => {
  const module: unknown = await import(address);
  if (!isToolsModule(module)) throw new Error('The module of the importers has no openReportTools()');
  return module.openReportTools();
};

const toolsOf = (address: string): Promise<ReportTools> => {
  const tools = opened.get(address) ?? openTools(address);
  opened.set(address, tools);
  tools.catch(() => opened.delete(address));
  return tools;
};

/** A look at the beginning of a report; says in `begun` when it begins. */
type HeadTask = Pick<ImportTask, 'toolsModule'> & { begun: Int32Array<SharedArrayBuffer> };

const beginHead = async ({ toolsModule, begun }: HeadTask): Promise<ReportTools> => {
  const tools = await toolsOf(toolsModule);
  Atomics.store(begun, 0, 1);
  Atomics.notify(begun, 0);
  return tools;
};

/** What is known of a report by its beginning. Runs in a thread of its own, as importing does. */
export const recogniseReport = async (task: RecognitionRequest & HeadTask): Promise<Recognition> =>
  recogniseWith(await beginHead(task), task);

/** What the beginning of a table shows. */
export const previewReport = async ({ head, isWhole, mapping, ...task }: PreviewRequest & HeadTask) =>
  previewWith(await beginHead(task), { head, isWhole, ...(mapping === undefined ? {} : { mapping }) });

/** Runs in a thread of its own, with connections of its own: the thread that answers requests never parses. */
export const importReport = async (task: ImportTask): Promise<ImportOutcome> => {
  const pulse = createPulse(task.pulse, threadId);
  const { connection, clientId, scanId, codeId } = task;
  const tools = await toolsOf(task.toolsModule);
  // a job that is taken away ends this thread; the signal is for the parser's own limits
  const { signal } = new AbortController();
  return runImport({ connection, clientId, scanId, codeId, pulse, tools, signal });
};

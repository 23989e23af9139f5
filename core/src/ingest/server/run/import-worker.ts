import { threadId } from 'node:worker_threads';
import type { ReportTools } from '../../../platform/model/connector-catalogue.ts';
import type { ClientReportTools } from '../../../platform/server/report-tool-source.ts';
import { type Recognition, recogniseWith } from '../../model/recognise-report.ts';
import { createPulse } from '../stage/import-watch.ts';
import { type HeadRequest, type PreviewRequest, previewWith } from '../upload/recognise-report.ts';
import type { ImportConnection } from './import-connection.ts';
import { type ImportOutcome, runImport } from './run-import.ts';

/** What a worker thread is told; plain data. */
export interface ImportTask {
  connection: ImportConnection;
  clientId: string;
  scanId: string;
  /** Address of a module with `openReportTools(added): Promise<ReportTools>`: plugins are found by the host, not by this slice. */
  toolsModule: string;
  /** What the organisation added of them. */
  added: ClientReportTools['added'];
  /** Names the code of this process. */
  codeId: string;
  /** Where the thread shows that it gets on. */
  pulse: SharedArrayBuffer;
}

interface ToolsModule {
  openReportTools(added?: readonly unknown[]): Promise<ReportTools>;
}

const isToolsModule = (module: unknown): module is ToolsModule =>
  typeof module === 'object' &&
  module !== null &&
  'openReportTools' in module &&
  typeof module.openReportTools === 'function';

/** The module keeps what it opened: only what an organisation added since is opened anew. */
const toolsOf = async ({ toolsModule, added }: Pick<ImportTask, 'toolsModule' | 'added'>): Promise<ReportTools> => {
  const module: unknown = await import(toolsModule);
  if (!isToolsModule(module)) throw new Error('The module of the importers has no openReportTools()');
  return module.openReportTools(added);
};

/** A look at the beginning of a report; says in `begun` when it begins. */
type HeadTask = Pick<ImportTask, 'toolsModule'> & { begun: Int32Array<SharedArrayBuffer> };

const beginHead = async ({ toolsModule, begun }: HeadTask, added: ImportTask['added'] = []): Promise<ReportTools> => {
  const tools = await toolsOf({ toolsModule, added });
  Atomics.store(begun, 0, 1);
  Atomics.notify(begun, 0);
  return tools;
};

/** What is known of a report by its beginning. Runs in a thread of its own, as importing does. */
export const recogniseReport = async ({ added, ...task }: HeadRequest & HeadTask): Promise<Recognition> =>
  recogniseWith(await beginHead(task, added), task);

/** What the beginning of a table shows. */
export const previewReport = async ({ head, isWhole, mapping, ...task }: PreviewRequest & HeadTask) =>
  previewWith(await beginHead(task), { head, isWhole, ...(mapping === undefined ? {} : { mapping }) });

/** Runs in a thread of its own, with connections of its own: the thread that answers requests never parses. */
export const importReport = async (task: ImportTask): Promise<ImportOutcome> => {
  const pulse = createPulse(task.pulse, threadId);
  const { connection, clientId, scanId, codeId } = task;
  const tools = await toolsOf(task);
  // a job that is taken away ends this thread; the signal is for the parser's own limits
  const { signal } = new AbortController();
  return runImport({ connection, clientId, scanId, codeId, pulse, tools, signal });
};

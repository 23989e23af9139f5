import { AppError } from '../../../platform/model/app-error.ts';
import { POSTURE_TITLE, POSTURE_TOOL } from '../../../platform/model/posture-checks.ts';
import { readPosture } from '../../../source-control/server/index.ts';
import type { ToolRun } from '../../model/scan-requests.ts';
import type { ClaimedScan, ScanEnd } from '../requests/scan-requests.ts';
import { awaitImports, endOf, note, type RunningScan } from './run-tools.ts';

/** Settings of the repository at its provider, read through the connection: nothing is cloned, no scanner runs. */
export const scanPosture = async (
  running: Omit<RunningScan, 'tools'>,
  claimed: ClaimedScan & { repositoryId: string },
): Promise<ScanEnd> => {
  const { deps, signal } = running;
  const { clientId, userId, repositoryId } = claimed;
  const run = { tool: POSTURE_TOOL, title: POSTURE_TITLE, version: null, detail: null, scan_id: null };
  const began: ToolRun = { ...run, status: 'running' };
  await note({ deps, claimed, tools: [began] }, 'running');
  const read = async (): Promise<ToolRun> => {
    try {
      const scanId = await readPosture(deps.posture, { clientId, repositoryId }, { userId, signal });
      return { ...run, status: 'importing', scan_id: scanId };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      return { ...run, status: 'failed', detail: error.userMessage };
    }
  };
  const tools = [await read()];
  await awaitImports({ ...running, tools });
  return endOf(tools);
};

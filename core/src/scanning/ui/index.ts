import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { requestRepoScan } from '../api/routes.ts';
import { POSTURE_SCAN } from '../model/scan-requests.ts';

/** The scans that the server makes of one repository; in a chunk of its own. */
export const loadRepositoryScan = async () => (await import('./repository-scan.tsx')).RepositoryScan;

/** Asks for the settings of a repository at its provider to be read now. @throws ApiError with the reason when the server refuses. */
export const requestPostureScan = async (api: ApiClient, repositoryId: string): Promise<void> => {
  await api.call(requestRepoScan, { body: { scan_type: POSTURE_SCAN, repositories: [repositoryId] } });
};

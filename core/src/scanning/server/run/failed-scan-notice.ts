import { CATEGORIES, isCategoryKey } from '@breakwater/sdk';
import { toolLabel } from '../../../findings/server/index.ts';
import { notify } from '../../../notifications/server/index.ts';
import type { ConnectorCatalogue } from '../../../platform/model/connector-catalogue.ts';
import { POSTURE_TITLE } from '../../../platform/model/posture-checks.ts';
import { type Sentence, say, sayLabel } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import { ALL_SCANNERS, CLOUD_SCAN, POSTURE_SCAN } from '../../model/scan-requests.ts';
import { readScanTargets } from '../requests/list-scan-requests.ts';
import type { ClaimedScan, ScanEnd } from '../requests/scan-requests.ts';

/** What was asked for, as people call it. */
const scanName = (catalogue: Pick<ConnectorCatalogue, 'entries'>, scanType: string): Sentence => {
  if (scanType === ALL_SCANNERS) return say('all scanners');
  if (scanType === CLOUD_SCAN) return say('clouds');
  if (scanType === POSTURE_SCAN) return sayLabel(POSTURE_TITLE);
  if (isCategoryKey(scanType)) return sayLabel(CATEGORIES[scanType]);
  const entry = catalogue.entries().find(({ connector: { id } }) => id === scanType);
  return sayLabel(entry?.connector.title ?? toolLabel(scanType));
};

/** Tells who asked for a scan that it has failed and why; of one that nobody asked for, those who triage. */
export const notifyFailedScan = async (
  db: Db,
  catalogue: Pick<ConnectorCatalogue, 'entries'>,
  { claimed, end }: { claimed: ClaimedScan; end: ScanEnd },
): Promise<void> => {
  const { clientId, repositoryId, userId, scanType } = claimed;
  const ids = repositoryId === null ? [] : [repositoryId];
  const [repository] = ids.length === 0 ? [] : await readScanTargets(db, { clientId, onlyOwnedBy: null, ids });
  const name = scanName(catalogue, scanType);
  const title =
    repository === undefined
      ? say('Scan failed: {scanner}', { scanner: name })
      : say('Scan failed: {scanner} on {repository}', { scanner: name, repository: repository.nickname });
  await notify(db, {
    clientId,
    type: 'scan_failed',
    title,
    message: end.detail ?? '',
    link: repositoryId === null ? '/connector' : `/Repositories/${repositoryId}`,
    to: userId === null ? { permission: 'findings.triage' } : { userIds: [userId] },
  });
};

import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
import { toggledVerdict } from '../model/toggle-verdict.ts';
import { lastVerdictBefore } from './queries/last-verdict-before.ts';
import { lockFinding } from './queries/lock-finding.ts';
import { writeVerdict } from './queries/write-verdict.ts';
import type { Viewer } from './viewer.ts';

/**
 * Turns the false-positive switch of a finding. Its duplicates keep their own verdict and stay marked as duplicates, so they
 * remain hidden wherever duplicates are. @throws finding_not_found.
 */
export const toggleVerdict = async (
  db: Db,
  request: { viewer: Viewer; id: string; reason: string | undefined },
): Promise<void> => {
  const { viewer, id } = request;
  const { clientId } = viewer;
  const finding = await lockFinding(db, { clientId, id });
  if (finding === undefined) throw new AppError('finding_not_found', 'Finding data not found');
  const before =
    finding.verdict === 'false_positive'
      ? await lastVerdictBefore(db, { clientId, id, verdict: finding.verdict })
      : undefined;
  const reason = request.reason?.replaceAll('\0', '').trim() ?? '';
  const to = toggledVerdict(finding.verdict, before);
  await writeVerdict(db, {
    clientId,
    id,
    actor: viewer.userId,
    from: finding.verdict,
    to,
    reason: reason === '' ? null : reason,
  });
  await publish(db, {
    clientId,
    type: 'finding.changed',
    data: { finding_id: id, repository_id: finding.repository_id, verdict: to },
  });
};

import { readFindingsPage, viewerOf } from '../../../findings/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { POSTURE_LABELS, POSTURE_TOOL, POSTURE_TOPICS } from '../../../platform/model/posture-checks.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Caller, type Endpoint, ownedOnly, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import { readRepository } from '../../../repositories/server/index.ts';
import { getRepositoryPosture } from '../../api/posture-routes.ts';
import type { SourceControlDeps } from '../deps.ts';
import { postureIssue, readKept } from './read-posture.ts';

/** Open findings about the settings of a repository that the caller may see, by setting. */
const findingsOf = async (db: Db, caller: Caller, repositoryId: string): Promise<Map<string, string>> => {
  const { data } = await readFindingsPage(db, viewerOf(caller), {
    filters: { repository: [repositoryId], tool: [POSTURE_TOOL] },
    fields: ['rule_id', 'status'],
    pagination: { page: 1, pageSize: 50 },
  });
  const open = data.filter(({ attributes }) => attributes.status !== 'mitigated');
  return new Map(open.map(({ _id, attributes }) => [attributes.rule_id ?? '', _id]));
};

/** What the settings of a repository at its provider say. */
export const postureEndpoints = (deps: SourceControlDeps): Endpoint[] => [
  tenantEndpoint(getRepositoryPosture)(async ({ db, caller, params }) => {
    const { clientId } = caller;
    await readRepository(db, { clientId, onlyOwnedBy: ownedOnly(caller) }, params.id);
    const kept = await readKept(db, { clientId, repositoryId: params.id });
    if (kept === undefined) throw new AppError('repository_not_found');
    const issue = await postureIssue(deps, db, { clientId, ...kept });
    const findings = await findingsOf(db, caller, params.id);
    const checks = (kept.answers ?? []).map(({ check, state, detail, branch, url }) => {
      const { title, mitigation, severity } = POSTURE_TOPICS[check];
      const finding_id = findings.get(check) ?? null;
      return {
        check,
        label: POSTURE_LABELS[check],
        title,
        mitigation,
        severity,
        state,
        detail,
        branch,
        url,
        finding_id,
      };
    });
    return {
      data: {
        is_available: issue === null,
        problem: issue ?? kept.problem,
        read_at: kept.read_at?.toISOString() ?? null,
        checks,
      },
    };
  }),
];

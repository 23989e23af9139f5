import type { Static } from 'typebox';
import { type FixFacts, type Viewer, viewerOf } from '../../../findings/server/index.ts';
import { type Caller, callerEndpoint, type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import * as routes from '../../api/assessment-routes.ts';
import { startBulk } from '../apply/bulk-job.ts';
import { aiShareOf } from '../remediation-item.ts';
import { atProvider, type RemediationDeps, readFiles } from '../source-files.ts';
import {
  type Availability,
  assess,
  assessedFinding,
  readAvailability,
  requireAssessor,
  requireFacts,
} from './assess.ts';
import {
  cancelRun,
  isAssessing,
  markDismissed,
  type NamedAssessment,
  readNamedAssessment,
} from './assessment-store.ts';
import '../../../session/server/index.ts';

/** Whether the file is another one now; null where the provider does not say. */
const isStale = async (
  deps: RemediationDeps,
  clientId: string,
  { facts, stored }: { facts: FixFacts; stored: NamedAssessment },
): Promise<boolean | null> => {
  if (facts.file !== stored.file_path) return true;
  try {
    const [file] = await atProvider(deps, clientId, facts, (step) => readFiles(step, facts.branch, [stored.file_path]));
    return file?.sha256 !== stored.file_sha256;
  } catch {
    return null;
  }
};

const itemOf = (stored: NamedAssessment, stale: boolean | null): Static<typeof routes.Assessment> => ({
  verdict: stored.verdict,
  confidence: stored.confidence,
  reasons: stored.reasons,
  file_path: stored.file_path,
  state: stored.state,
  is_stale: stale,
  ai: aiShareOf(stored),
  created_at: stored.created_at.toISOString(),
  created_by: stored.asker,
  decided_at: stored.decided_at?.toISOString() ?? null,
  decided_by: stored.decider,
});

const availabilityItem = (found: Availability) => ({
  availability: found.availability,
  unavailable_because: 'why' in found ? found.why : null,
});

/** What there is about a finding, and whether more can be asked. */
const readAnswer = async (
  deps: RemediationDeps,
  viewer: Viewer,
  { id, isCompared }: { id: string; isCompared: boolean },
) => {
  const { clientId } = viewer;
  const { facts, stored, found, is_running } = await deps.database.forClient(clientId, async (db) => {
    const facts = await requireFacts(db, viewer, id);
    const finding = assessedFinding(clientId, facts);
    return {
      facts,
      stored: await readNamedAssessment(db, finding),
      found: await readAvailability(db, deps, clientId),
      is_running: await isAssessing(db, finding),
    };
  });
  const stale = stored !== undefined && isCompared ? await isStale(deps, clientId, { facts, stored }) : null;
  return {
    data: {
      ...availabilityItem(found),
      is_running,
      assessment: stored === undefined ? null : itemOf(stored, stale),
    },
  };
};

/** Whether findings are false positives, as a model sees it. */
export const assessmentEndpoints = (deps: RemediationDeps): Endpoint[] => {
  const now = (caller: Caller, id: string, isCompared = false) =>
    readAnswer(deps, viewerOf(caller), { id, isCompared });
  return [
    callerEndpoint(routes.getAssessment)(({ caller, params, query }) =>
      now(caller, params.id, query.compare === 'true'),
    ),
    callerEndpoint(routes.assessFinding)(async ({ caller, params }) => {
      await assess(deps, { viewer: viewerOf(caller), findingId: params.id });
      return now(caller, params.id);
    }),
    callerEndpoint(routes.cancelAssessment)(async ({ caller, params }) => {
      await deps.database.forClient(caller.clientId, async (db) => {
        const facts = await requireFacts(db, viewerOf(caller), params.id);
        await cancelRun(db, assessedFinding(caller.clientId, facts));
      });
      return now(caller, params.id);
    }),
    tenantEndpoint(routes.getAssessmentAvailability)(async ({ db, caller }) => ({
      data: availabilityItem(await readAvailability(db, deps, caller.clientId)),
    })),
    tenantEndpoint(routes.dismissAssessment)(async ({ db, caller, params }) => {
      const facts = await requireFacts(db, viewerOf(caller), params.id);
      await markDismissed(db, assessedFinding(caller.clientId, facts), caller.userId);
      return { success: true as const };
    }),
    tenantEndpoint(routes.assessFindings)(async ({ db, caller, body, reply, audit }) => {
      await requireAssessor(db, deps, caller.clientId);
      audit({ details: { findings: body.findings.length } });
      reply.status(202);
      const what = { applyPullRequests: false, applyIssues: false, isAiAllowed: false, group: 'finding' as const };
      const job_id = await startBulk(db, deps, {
        viewer: viewerOf(caller),
        kind: 'remediation.assess',
        ids: body.findings,
        ...what,
      });
      return { success: true as const, data: { job_id } };
    }),
  ];
};

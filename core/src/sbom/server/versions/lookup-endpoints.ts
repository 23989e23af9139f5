import { AppError } from '../../../platform/model/app-error.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { enqueueDueOf } from '../../../platform/server/jobs/job-state.ts';
import { changeVersionLookup, readVersionLookup } from '../../api/version-lookup-routes.ts';
import { exclusionIssue } from '../../model/excluded-packages.ts';
import { lookUpVersionsOf } from './lookup-job.ts';
import { type LookupSettings, readLookupSettings, writeLookupSettings } from './lookup-settings.ts';

const refuseUnusable = (excluded: readonly string[]): void => {
  const issues = excluded.flatMap((line, index) => {
    const issue = exclusionIssue(line);
    return issue === undefined ? [] : [{ loc: ['body', 'excluded', index], msg: issue, type: 'pattern' }];
  });
  if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
};

interface LookupEndpointsDeps {
  jobs: Pick<JobQueue, 'enqueue'>;
  /** Host of the service that is asked. */
  service: string;
}

/** Whether an organisation has newest versions looked up. */
export const createVersionLookupEndpoints = ({ jobs, service }: LookupEndpointsDeps): Endpoint[] => {
  const item = (clientId: string, { isEnabled, excluded, updatedAt }: LookupSettings) => ({
    data: {
      _id: clientId,
      attributes: { is_enabled: isEnabled, excluded, service, updated_at: updatedAt?.toISOString() ?? null },
    },
  });
  return [
    tenantEndpoint(readVersionLookup)(async ({ db, caller }) =>
      item(caller.clientId, await readLookupSettings(db, caller.clientId)),
    ),
    tenantEndpoint(changeVersionLookup)(async ({ db, caller, body, audit }) => {
      audit({ subject: 'Lookup of newest versions' });
      const { clientId, userId } = caller;
      const excluded = [...new Set(body.excluded.map((line) => line.trim()))];
      refuseUnusable(excluded);
      await writeLookupSettings(db, { clientId, userId, isEnabled: body.is_enabled, excluded });
      if (body.is_enabled) await enqueueDueOf(db, jobs, [lookUpVersionsOf], clientId);
      return item(clientId, await readLookupSettings(db, clientId));
    }),
  ];
};

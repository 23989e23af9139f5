import { AppError } from '../../../platform/model/app-error.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { enqueueDueOf } from '../../../platform/server/jobs/job-state.ts';
import { changeLicensePolicy, readLicensePolicy } from '../../api/license-policy-routes.ts';
import { isSamePolicy, type LicensePolicy, repeatedLicenses } from '../../model/license-policy.ts';
import { checkLicensesOf } from './license-jobs.ts';
import { readPolicy, type StoredPolicy, writePolicy } from './policy-store.ts';

const policyItem = (clientId: string, { classes, licenses, updatedAt }: StoredPolicy) => ({
  data: {
    _id: clientId,
    attributes: { classes, licenses: [...licenses], updated_at: updatedAt?.toISOString() ?? null },
  },
});

const refuseRepeated = ({ licenses }: LicensePolicy): void => {
  const repeated = repeatedLicenses(licenses);
  if (repeated.length === 0) return;
  throw new AppError('validation_failed', undefined, {
    issues: repeated.map((license) => ({
      loc: ['body', 'licenses', licenses.findLastIndex((one) => one.license === license)],
      msg: sayEnglish('{license} stands in the list twice.', { license }),
      type: 'repeated',
    })),
  });
};

/** The licence policy of the organisation. */
export const createLicensePolicyEndpoints = (jobs: Pick<JobQueue, 'enqueue'>): Endpoint[] => [
  tenantEndpoint(readLicensePolicy)(async ({ db, caller }) =>
    policyItem(caller.clientId, await readPolicy(db, caller.clientId)),
  ),
  tenantEndpoint(changeLicensePolicy)(async ({ db, caller, body, audit }) => {
    audit({ subject: 'Licence policy' });
    const { clientId, userId } = caller;
    const licenses = body.licenses.map(({ license, verdict }) => ({ license: license.trim(), verdict }));
    const policy = { classes: body.classes, licenses };
    refuseRepeated(policy);
    const before = await readPolicy(db, clientId);
    if (before.updatedAt === null || !isSamePolicy(before, policy)) {
      await writePolicy(db, { clientId, userId, policy });
      await enqueueDueOf(db, jobs, [checkLicensesOf], clientId);
    }
    return policyItem(clientId, await readPolicy(db, clientId));
  }),
];

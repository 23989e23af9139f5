import { Value } from 'typebox/value';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import type { JobQueue } from '../../../platform/server/jobs/define-job.ts';
import * as routes from '../../api/settings-routes.ts';
import { rulesOf } from '../../model/settings/priority-rules.ts';
import { StoredSettings } from '../../model/settings/priority-settings.ts';
import { loadReferenceData } from '../feeds/reference-data.ts';
import { previewSettings } from './preview-settings.ts';
import { appliedChange, readSettings, saveSettings } from './save-settings.ts';
import { settingsState } from './stored-rules.ts';

const MAX_HISTORY = 50;

const readHistory = async (db: Db, clientId: string, limit: number) => {
  const rows = await db
    .selectFrom('priority_settings as p')
    .leftJoin('users as u', (join) => join.onRef('u.client_id', '=', 'p.client_id').onRef('u.id', '=', 'p.updated_by'))
    .select(['p.version', 'p.settings', 'p.updated_by', 'p.updated_at', 'u.username'])
    .where('p.client_id', '=', clientId)
    .orderBy('p.version', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => {
    const settings = Value.Parse(StoredSettings, row.settings);
    const { version, updated_at: at } = row;
    const attributes = { ...settings, version, weights: rulesOf(settings).weights, updated_at: at.toISOString() };
    return { ...attributes, updated_by: { _id: row.updated_by, username: row.username } };
  });
};

const NOT_RUNNING = { is_running: false, percentage: 100, done: 0, total: 0, job_id: null };

const readRecomputation = async (db: Db, clientId: string) => {
  const stored = await settingsState.read(db, { clientId });
  if (stored === undefined) return NOT_RUNNING;
  const { done, total, jobId } = stored.state;
  if (stored.dueAt === null) return { ...NOT_RUNNING, done, total };
  const percentage = total === 0 ? 0 : Math.min(99, Math.floor((done / total) * 100));
  return { is_running: true, percentage, done, total, job_id: jobId };
};

const settingsItem = async (db: Db, clientId: string) => {
  const { settings, version } = await readSettings(db, clientId);
  const [last] = await readHistory(db, clientId, 1);
  return {
    data: {
      _id: clientId,
      attributes: {
        ...settings,
        version,
        weights: rulesOf(settings).weights,
        updated_at: last?.updated_at ?? null,
        updated_by: last?.updated_by ?? null,
        recomputation: await readRecomputation(db, clientId),
      },
    },
  };
};

/** How an organisation weighs what a priority rests on. */
export const createSettingsEndpoints = (jobs: Pick<JobQueue, 'enqueue'>): Endpoint[] => [
  tenantEndpoint(routes.readPrioritySettings)(({ db, caller }) => settingsItem(db, caller.clientId)),
  tenantEndpoint(routes.changePrioritySettings)(async ({ db, caller, body, reply, audit }) => {
    const { version, ...change } = body;
    audit({ subject: 'Prioritisation', details: { fields: Object.keys(change) } });
    const isJob = await saveSettings(db, { caller, jobs, change, version });
    if (isJob) reply.status(202);
    return settingsItem(db, caller.clientId);
  }),
  tenantEndpoint(routes.previewPrioritySettings)(async ({ db, caller, body }) => {
    const { version: _version, ...change } = body;
    const { settings: stored } = await readSettings(db, caller.clientId);
    const settings = appliedChange(stored, change);
    const reference = await loadReferenceData();
    return { data: await previewSettings(db, { clientId: caller.clientId, settings, reference }) };
  }),
  tenantEndpoint(routes.listPrioritySettings)(async ({ db, caller }) => ({
    data: (await readHistory(db, caller.clientId, MAX_HISTORY)).map((attributes) => ({
      _id: `${attributes.version}`,
      attributes,
    })),
  })),
];

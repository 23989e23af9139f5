import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import { checkRollups } from './check-rollups.ts';

/** Organisations of one run, drawn at random. */
const SAMPLE = 5;

/** What the check of rollups reports, for /metrics. */
export interface RollupMetrics {
  /** A run has ended: so many rows of the rollups of so many organisations differ from their findings. */
  checked(result: { clients: number; differences: number }): void;
}

/** Gauges of the last check that this process made. */
export const createRollupMetrics = (registry: Registry): RollupMetrics => {
  const differences = new Gauge({
    name: 'breakwater_rollup_differences',
    help: 'Rows of rollups that differed from the findings at the last check of a sample, at most 20 a table and organisation',
    registers: [registry],
  });
  const clients = new Gauge({
    name: 'breakwater_rollup_checked_clients',
    help: 'Organisations in the last check of rollups',
    registers: [registry],
  });
  return {
    checked: (result) => {
      differences.set(result.differences);
      clients.set(result.clients);
    },
  };
};

/** What the last check found, of whichever process. */
const checkState = defineJobState(
  'findings.check-rollups',
  Type.Object({
    checkedAt: Type.Union([Type.String(), Type.Null()], { default: null }),
    clients: Type.Number({ default: 0 }),
    differences: Type.Number({ default: 0 }),
  }),
);
const PLATFORM = { clientId: null };

/** The last check of a sample; nothing before the first night. In `forIdentity`. */
export const readRollupCheck = async (
  db: Db,
): Promise<{ checkedAt: string; clients: number; differences: number } | undefined> => {
  const { checkedAt = null, clients = 0, differences = 0 } = (await checkState.read(db, PLATFORM))?.state ?? {};
  return checkedAt === null ? undefined : { checkedAt, clients, differences };
};

const keepResult = async (db: Db, result: { clients: number; differences: number }): Promise<void> => {
  await checkState.request(db, PLATFORM, { ...result, checkedAt: new Date().toISOString() });
  const stored = await checkState.lock(db, PLATFORM);
  await checkState.finish(db, PLATFORM, { requests: stored?.requests ?? 0, change: {} });
};

interface RollupCheckDeps {
  database: DatabaseHandle;
  rollupMetrics: RollupMetrics;
  log: { error(data: object, text: string): void };
}

/** Compares the rollups of a sample of organisations with their findings, and says in log and metric what differs. */
export const checkSampledRollups = async ({ database, rollupMetrics, log }: RollupCheckDeps): Promise<void> => {
  const clients = await database.forIdentity((db) =>
    db.selectFrom('clients').select('id').orderBy(sql`random()`).limit(SAMPLE).execute(),
  );
  let differences = 0;
  for (const { id } of clients) {
    const found = await checkRollups(database, id);
    differences += found.length;
    if (found.length > 0) {
      const tables = [...new Set(found.map(({ table }) => table))];
      log.error(
        { clientId: id, tables, rows: found.length },
        'rollups differ from the findings: run admin rebuild-rollups',
      );
    }
  }
  const result = { clients: clients.length, differences };
  rollupMetrics.checked(result);
  await database.forIdentity((db) => keepResult(db, result));
};

/** Every night: what a trigger or a statement by hand got wrong is noticed before people notice it. */
export const checkRollupsNightly = defineJob({
  name: 'findings.check-rollups',
  input: Type.Object({}),
  retry: { limit: 1 },
  schedule: { cron: '23 3 * * *' },
  run: checkSampledRollups,
});

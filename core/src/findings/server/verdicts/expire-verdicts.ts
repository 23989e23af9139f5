import { sql } from 'kysely';
import { Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import type { ChangeOutcome } from '../../model/apply-change.ts';
import { type DecidedFinding, PARTS } from '../../model/decided-finding.ts';
import { decide } from './decide.ts';

const BATCH = 1000;
const NOBODY = '00000000-0000-0000-0000-000000000000';

const readExpired = async (db: Db, clientId: string): Promise<string[]> => {
  // index: findings_expiring
  const found = await sql<{ id: string }>`
    select id from findings
    where client_id = ${clientId} and verdict_expires_at <= now() order by verdict_expires_at, id limit ${BATCH}`.execute(
    db,
  );
  return found.rows.map((row) => row.id);
};

const expired = (now: DecidedFinding): ChangeOutcome => {
  // another process was faster, or a person
  const isDue = now.verdict_expires_at !== null && Date.parse(now.verdict_expires_at) <= Date.now();
  if (!isDue) return { next: now, entries: [] };
  const verdict = now.verdict === 'accepted_risk' ? 'none' : now.verdict;
  const next: DecidedFinding = {
    ...now,
    verdict,
    verdict_reason: null,
    verdict_expires_at: null,
    needs_confirmation: false,
  };
  const before = PARTS.verdict.of(now);
  return {
    next,
    entries: [{ kind: 'verdict', from: now.verdict, to: verdict, reason: 'The acceptance has expired', before }],
  };
};

/** Ends accepted risks whose day has come: the findings are open again. Safe in several processes. @returns how many. */
export const expireVerdicts = async (database: DatabaseHandle): Promise<number> => {
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id: clientId } of clients) {
    let written = BATCH;
    while (written === BATCH) {
      written = await database.forClient(clientId, async (db) => {
        const ids = await readExpired(db, clientId);
        if (ids.length === 0) return 0;
        const viewer = { clientId, userId: NOBODY, seesAll: true };
        const result = await decide(db, { viewer, isByClock: true, ids, changeId: null, apply: expired });
        return result.written.length;
      });
      count += written;
    }
  }
  return count;
};

/** Ends accepted risks whose day has come. */
export const expireAcceptedRisks = defineJob({
  name: 'findings.expire-verdicts',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 60 },
  run: async ({ database, log }: { database: DatabaseHandle; log: { info(data: object, text: string): void } }) => {
    const count = await expireVerdicts(database);
    if (count > 0) log.info({ count }, 'accepted risks have ended');
  },
});

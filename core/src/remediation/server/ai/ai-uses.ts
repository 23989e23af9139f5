import { sql } from 'kysely';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { RemediationDeps } from '../source-files.ts';
import type { AiCost, AiModel, AiPurpose } from './ai-model.ts';
import '../tables.ts';

/** What was used of models since a month (UTC) began. */
export interface AiUsage {
  /** The first moment of the month. */
  since: Date;
  uses: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null where no use has a price. */
  costUsd: number | null;
}

const MONTH = sql<Date>`date_trunc('month', now(), 'UTC')`;

/** Of this month. Index: ai_uses_month. */
export const readUsage = async (db: Db, clientId: string): Promise<AiUsage> => {
  const { rows } = await sql<AiUsage>`
    select ${MONTH} as since, count(*)::integer as uses, coalesce(sum(input_tokens), 0)::float8 as "inputTokens",
      coalesce(sum(output_tokens), 0)::float8 as "outputTokens", sum(cost_micros)::float8 / 1000000 as "costUsd"
    from ai_uses where client_id = ${clientId} and created_at >= ${MONTH}`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an aggregate has no row');
  return row;
};

/** A use that has begun: it counts, whatever comes of it. */
export interface BegunUse {
  id: string;
}

/** What to say where the plan allows no more uses this month; undefined where it does. */
export const quotaExceeded = async (
  db: Db,
  { limits }: Pick<RemediationDeps, 'limits'>,
  clientId: string,
): Promise<string | undefined> => {
  const most = await limits.remediationsPerMonth(db, { clientId });
  if (most === null || (await readUsage(db, clientId)).uses < most) return undefined;
  return sayEnglish(
    'The plan allows {count} fixes and assessments by AI a month, and they are used up. The next month begins on the 1st (UTC).',
    { count: String(most) },
  );
};

/** Counts a use before the model is asked. @returns what to say where the plan allows no more this month */
export const beginUse = async (
  db: Db,
  deps: Pick<RemediationDeps, 'limits'>,
  use: { clientId: string; purpose: AiPurpose; findingId: string; model: AiModel; actor: string },
): Promise<BegunUse | { exceeded: string }> => {
  const { clientId, purpose, findingId, model, actor } = use;
  // those who ask at the same time are counted one after the other
  await sql`select pg_advisory_xact_lock(hashtextextended(${`ai_uses ${clientId}`}, 0))`.execute(db);
  const exceeded = await quotaExceeded(db, deps, clientId);
  if (exceeded !== undefined) return { exceeded };
  return db
    .insertInto('ai_uses')
    .values({ client_id: clientId, purpose, finding_id: findingId, model: model.name, actor })
    .returning('id')
    .executeTakeFirstOrThrow();
};

/** What the answers of a use took. */
export const readUse = async (db: Db, { clientId, id }: { clientId: string; id: string }): Promise<AiCost> => {
  const row = await db
    .selectFrom('ai_uses')
    .select(['input_tokens', 'output_tokens', 'cost_micros'])
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { inputTokens: row.input_tokens, outputTokens: row.output_tokens, costMicros: row.cost_micros };
};

/** Writes what the answers of a use took. */
export const endUse = async (
  db: Db,
  { clientId, id }: { clientId: string; id: string },
  cost: AiCost,
): Promise<void> => {
  await db
    .updateTable('ai_uses')
    .set({ input_tokens: cost.inputTokens, output_tokens: cost.outputTokens, cost_micros: cost.costMicros })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .execute();
};

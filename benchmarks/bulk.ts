import { bulkChange } from '@breakwater/core/findings/server/index.ts';
import { createDatabase } from '@breakwater/core/platform/server/database.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import type pg from 'pg';
import { withOwnDatabase } from './own-database.ts';
import { seedFindings } from './seed.ts';

/**
 * A verdict for every finding of an organisation, and taking it back: findings per second, the memory that the process gains, and the longest
 * time in which the job reported nothing.
 */
const FINDINGS = Number(process.argv[2] ?? 200_000);
const MB = 1024 * 1024;
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const insertUser = async (owner: pg.Client, clientId: string): Promise<string> => {
  const { rows } = await owner.query<{ id: string }>(
    `insert into users (client_id, email, username, password_hash, role) values ($1, 'bulk@example.org', 'bulk', 'none', 'admin')
     returning id`,
    [clientId],
  );
  return rows[0]?.id ?? '';
};

const run = async (owner: pg.Client, url: string): Promise<void> => {
  const { clientId } = await seedFindings(owner, { findings: FINDINGS });
  const actor = await insertUser(owner, clientId);
  const database = createDatabase(createAppPool(url));
  const measure = async (kind: string, input: object) => {
    const { rows } = await owner.query<{ id: string }>(
      'insert into client_jobs (client_id, kind, actor, input) values ($1, $2, $3, $4) returning id',
      [clientId, kind, actor, JSON.stringify(input)],
    );
    const jobId = rows[0]?.id ?? '';
    const before = process.memoryUsage.rss();
    let peak = before;
    let position = 0;
    let advancedAt = performance.now();
    let longestPause = 0;
    const watch = setInterval(async () => {
      peak = Math.max(peak, process.memoryUsage.rss());
      const now = await owner.query<{ position: number }>('select position from client_jobs where id = $1', [jobId]);
      const reached = now.rows[0]?.position ?? 0;
      if (reached !== position) [position, advancedAt] = [reached, performance.now()];
      longestPause = Math.max(longestPause, performance.now() - advancedAt);
    }, 200);
    const started = performance.now();
    await bulkChange.run(
      { database },
      { id: jobId, data: { clientId, jobId }, attempt: 1, signal: new AbortController().signal },
    );
    const seconds = (performance.now() - started) / 1000;
    clearInterval(watch);
    const state = await owner.query('select status, done, refused_count, total from client_jobs where id = $1', [
      jobId,
    ]);
    const result = {
      ...state.rows[0],
      seconds: Math.round(seconds),
      perSecond: Math.round(Number(state.rows[0]?.done) / seconds),
      gainedMb: Math.round((peak - before) / MB),
      longestPauseSeconds: Number((longestPause / 1000).toFixed(1)),
    };
    print(`${kind.padEnd(18)}${JSON.stringify(result)}`);
    return { jobId, result };
  };
  const change = await measure('findings.change', { change: { verdict: { value: 'false_positive', reason: 'Bulk' } } });
  const undo = await measure('findings.undo', { undone: change.jobId });
  await database.close();
  print(JSON.stringify({ bench: 'bulk', findings: FINDINGS, change: change.result, undo: undo.result }));
};

await withOwnDatabase(run);

import { Type } from 'typebox';
import type { DatabaseHandle } from '../database.ts';
import type { JobQueue, JobType } from './define-job.ts';
import type { JobState } from './job-state.ts';

/** What a job keeps of which one run at a time works on a subject. */
export const AloneState = Type.Object({ runUntil: Type.Union([Type.String(), Type.Null()], { default: null }) });

/** A run that does not end in so long is dead. */
const RUN_MS = 10 * 60_000;

interface Alone<T> {
  readonly job: JobType<T>;
  readonly state: JobState<{ runUntil: string | null }>;
  readonly subject: { clientId: string; key: string };
  readonly input: T;
}

/**
 * Does what is due for a subject, in one process at a time; what is asked for meanwhile is done afterwards.
 * @param work answers in how many seconds it has to go on; undefined for not at all. Where it throws, it goes on in an hour.
 */
export const runAlone = async <T extends object>(
  { database, jobs }: { database: DatabaseHandle; jobs: Pick<JobQueue, 'enqueue'> },
  { job, state, subject, input }: Alone<T>,
  work: () => Promise<number | undefined>,
): Promise<void> => {
  const { clientId } = subject;
  const requests = await database.forClient(clientId, async (db) => {
    const stored = await state.lock(db, subject);
    if (stored?.isDue !== true) return undefined;
    const { runUntil } = stored.state;
    if (runUntil !== null && Date.parse(runUntil) > Date.now()) return undefined;
    await state.save(db, subject, { runUntil: new Date(Date.now() + RUN_MS).toISOString() });
    return stored.requests;
  });
  if (requests === undefined) return;
  let next: number | undefined = 3600;
  try {
    next = await work();
  } finally {
    await database.forClient(clientId, async (db) => {
      await state.finish(db, subject, { requests, change: { runUntil: null } });
      const stored = await state.lock(db, subject);
      if (stored?.isDue === true) await jobs.enqueue(db, job, input);
      else if (next !== undefined) await state.schedule(db, subject, { inSeconds: next, change: {} });
    });
  }
};

import { type IngestDependencies, loadSampleData } from '@breakwater/core/ingest/server/index.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { ensureFirstAdmin } from '@breakwater/core/session/server/index.ts';
import { generatePassword } from './admin.ts';

const DEMO_USER = { email: 'demo@example.com', username: 'demo', organizationName: 'Sample organisation' };
const WAIT_MS = 60_000;
const POLL_MS = 200;

export interface DemoResult {
  /** How to sign in, where the organisation was made just now: the only time the password is known. */
  signIn: { username: string; password: string } | undefined;
}

/** The organisation that was made first, with its admin. */
const firstOrganisation = (database: DatabaseHandle) =>
  database.forIdentity((db) =>
    db
      .selectFrom('users')
      .select(['client_id', 'id'])
      .where('role', '=', 'admin')
      .orderBy('created_at')
      .orderBy('id')
      .executeTakeFirst(),
  );

const hasSample = async (database: DatabaseHandle, clientId: string): Promise<boolean> => {
  const found = await database.forClient(clientId, (db) =>
    db.selectFrom('repositories').select('id').where('is_sample', '=', true).limit(1).executeTakeFirst(),
  );
  return found !== undefined;
};

const untilImported = async (database: DatabaseHandle, clientId: string, scanIds: readonly string[]): Promise<void> => {
  for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; ) {
    const waiting = await database.forClient(clientId, (db) =>
      db
        .selectFrom('scans')
        .select('id')
        .where('id', 'in', [...scanIds])
        .where('status', 'not in', ['done', 'incomplete', 'outdated', 'failed', 'cancelled'])
        .execute(),
    );
    if (waiting.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
};

/**
 * `--demo`: adds the marked sample application to the first organisation; where there is none yet, makes a sample
 * organisation with an admin. Where this process works on jobs, returns when the reports are imported.
 */
export const startDemo = async (ingest: IngestDependencies, isWorking: boolean): Promise<DemoResult> => {
  const { database } = ingest;
  const password = generatePassword();
  const isNew = await ensureFirstAdmin(database, { ...DEMO_USER, password });
  const organisation = await firstOrganisation(database);
  if (organisation === undefined) throw new Error('There is no organisation for the sample application.');
  const { client_id: clientId, id: userId } = organisation;
  if (!(await hasSample(database, clientId))) {
    const { scanIds } = await loadSampleData(ingest, { clientId, userId });
    if (isWorking) await untilImported(database, clientId, scanIds);
  }
  return { signIn: isNew ? { username: DEMO_USER.username, password } : undefined };
};

import { randomBytes } from 'node:crypto';
import { hashPassword } from '@breakwater/core/session/server/index.ts';
import { readEventText } from '../../tools/testing/event-text.ts';
import { ADMIN, type ApiClient, signIn } from './api.ts';
import { type RunningServer, removeFolder, startServer } from './server.ts';

/**
 * Two web processes and a worker on one database, while `work` runs.
 * @param expected errors that they may log. @throws where one logged another or did not end in order.
 */
export const withProcesses = async (
  addresses: Record<string, string>,
  work: (first: RunningServer, second: RunningServer) => Promise<void>,
  expected: readonly RegExp[] = [],
): Promise<void> => {
  const environment = { ...addresses, BREAKWATER_SECRET_KEY: randomBytes(32).toString('base64') };
  const start = (role: 'web' | 'worker'): Promise<RunningServer> => startServer({ role, environment });
  const [first, second, worker] = await Promise.all([start('web'), start('web'), start('worker')]);
  const servers = [first, second, worker];
  let codes: (number | null)[] = [];
  try {
    await work(first, second);
    const errors = servers.flatMap((server) => server.errors(expected));
    if (errors.length > 0) throw new Error(errors.join('\n'));
  } finally {
    codes = await Promise.all(servers.map((server) => server.stop()));
    for (const { dataDirectory } of servers) await removeFolder(dataDirectory);
  }
  if (codes.some((code) => code !== 0)) throw new Error(`The processes ended with ${codes.join(', ')}.`);
};

/** Reads the live events of a process. @returns what waits until one has the text, and then stops to listen. */
export const listenFor = async (server: RunningServer, { token }: ApiClient) => {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${token}` };
  const events = readEventText(await fetch(`${server.url}/api/v1/events`, { headers, signal: leaving.signal }));
  return async (text: string): Promise<void> => {
    await events.until(text);
    leaving.abort();
  };
};

/**
 * Changes the notes of a finding again and again, until somebody at another process has heard of it, who listens anew when the events end,
 * as a browser does.
 */
export const untilHeard = async (listener: RunningServer, person: ApiClient, findingId: string): Promise<void> => {
  const sending = new AbortController();
  const send = async (): Promise<void> => {
    while (!sending.signal.aborted) {
      await person.call('PUT', `/findings/${findingId}`, { notes: crypto.randomUUID() });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };
  const listen = async (): Promise<void> => {
    const isHeard = async (): Promise<boolean> => {
      const heard = await listenFor(listener, person);
      return heard(findingId).then(
        () => true,
        () => false,
      );
    };
    while (!(await isHeard()));
  };
  await Promise.all([listen().finally(() => sending.abort()), send()]);
};

/** Makes another organisation. @returns its admin. */
export const addNeighbour = async (
  server: RunningServer,
  database: { query(text: string): Promise<unknown> },
): Promise<ApiClient> => {
  const hash = await hashPassword(ADMIN.password);
  await database.query(
    `with other as (insert into clients (organization_name, account_setup_at) values ('Neighbour', now()) returning id)
     insert into users (client_id, email, username, password_hash, role)
     select id, 'neighbour@harbour.example', 'neighbour', '${hash}', 'admin' from other`,
  );
  return signIn(server, 'neighbour', ADMIN.password);
};

import { type OutsideDatabase, openDatabase } from './database.ts';
import { type RunningServer, removeFolder, startServer } from './server.ts';
import type { Template } from './templates.ts';

export interface Installation {
  server: RunningServer;
  /** Behind the curtain; `addUser(role)` puts colleagues into the organisation (password: PASSWORD of database.ts). */
  database: OutsideDatabase;
  stop(): Promise<void>;
}

/** Runs a server on the database until `work` is done, and leaves neither it nor its files behind. */
export const withServer = async (url: string, work: (server: RunningServer) => Promise<void>): Promise<void> => {
  const server = await startServer({ environment: { DATABASE_URL: url } });
  try {
    await work(server);
  } finally {
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
};

/** An installation that was started once and that nobody has set up. */
export const UNTOUCHED: Template = {
  name: 'untouched',
  prepare: (url) => withServer(url, async () => undefined),
};

/** The real server as its own process, on a database of its own in the server that the journeys share. */
export const startInstallation = async (
  template = UNTOUCHED,
  environment: Record<string, string> = {},
): Promise<Installation> => {
  const database = await openDatabase(template);
  const server = await startServer({ environment: { ...environment, DATABASE_URL: database.url } });
  return {
    server,
    database,
    stop: async () => {
      await server.stop();
      await database.stop();
      await removeFolder(server.dataDirectory);
    },
  };
};

import { seedFindings } from '@breakwater/benchmarks/seed.ts';
import type { Browser } from 'playwright-core';
import { ADMIN, type ApiClient, setUp } from './api.ts';
import { newVisitor, type Visitor, type VisitorOptions } from './browser.ts';
import { type OutsideDatabase, startOutsideDatabase } from './database.ts';
import { signInOnScreen } from './screens.ts';
import { type RunningServer, removeFolder, startServer } from './server.ts';

/** An organisation with many findings: 20 repositories, five tools, 3,000 rules and vulnerabilities, 20,000 files; no report text. */
export interface Seeded {
  server: RunningServer;
  /** Behind the curtain; `addUser(role)` puts colleagues into the organisation (password: PASSWORD of database.ts). */
  database: OutsideDatabase;
  /** The API as the admin (ADMIN of api.ts). */
  api: ApiClient;
  clientId: string;
  repositoryIds: string[];
  /** A browser of its own, signed in as the admin or as the user named. */
  visit(browser: Browser, options?: VisitorOptions & { username?: string; password?: string }): Promise<Visitor>;
  stop(): Promise<void>;
}

/** Starts a server and fills its organisation past the import, in a few seconds. The draw is the same every time. */
export const startSeeded = async (findings = 10_000): Promise<Seeded> => {
  const database = await startOutsideDatabase();
  const server = await startServer({ environment: { DATABASE_URL: database.url } });
  const api = await setUp(server);
  const [client] = await database.query('select id from clients');
  const clientId = String(client?.['id']);
  const seeded = await database.withConnection((connection) => seedFindings(connection, { findings, clientId }));
  return {
    server,
    database,
    api,
    clientId,
    repositoryIds: seeded.repositoryIds,
    visit: async (browser, { username = ADMIN.username, password = ADMIN.password, ...options } = {}) => {
      const visitor = await newVisitor(browser, server.url, options);
      // Who is signed in is asked once, before anybody is.
      visitor.expectTrouble(/answer: 401 GET .*\/api\/v1\/session/);
      await signInOnScreen(visitor.page, username, password);
      return visitor;
    },
    stop: async () => {
      await server.stop();
      await database.stop();
      await removeFolder(server.dataDirectory);
    },
  };
};

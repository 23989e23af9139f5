import { seedFindings } from '@breakwater/benchmarks/seed.ts';
import pg from 'pg';
import type { Browser } from 'playwright-core';
import { ADMIN, type ApiClient, setUp, signIn } from './api.ts';
import { newVisitor, type Visitor, type VisitorOptions } from './browser.ts';
import { type OutsideDatabase, openDatabase, type Template } from './database.ts';
import { signInOnScreen } from './screens.ts';
import { type Environment, type RunningServer, removeFolder, startServer } from './server.ts';

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
export const startInstallation = async (template = UNTOUCHED, environment: Environment = {}): Promise<Installation> => {
  const database = await openDatabase(template);
  const server = await startServer({
    environment: (url) => ({
      ...(typeof environment === 'function' ? environment(url) : environment),
      DATABASE_URL: database.url,
    }),
  });
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

/** How many findings there are, in any state. */
export const FINDINGS = 10_000;

/** An organisation with many findings: 20 repositories, five tools, 3,000 rules and vulnerabilities, 20,000 files; no report text. */
export interface Seeded extends Installation {
  /** The API as the admin (ADMIN of api.ts). */
  api: ApiClient;
  clientId: string;
  repositoryIds: string[];
  /** A browser of its own, signed in as the admin or as the user named. */
  visit(browser: Browser, options?: VisitorOptions & { username?: string; password?: string }): Promise<Visitor>;
}

/** Set up, and filled past the import. The draw is the same every time. */
const SEEDED: Template = {
  name: 'seeded',
  base: UNTOUCHED,
  prepare: async (url) => {
    await withServer(url, async (server) => void (await setUp(server)));
    const connection = new pg.Client({ connectionString: url });
    await connection.connect();
    const { rows } = await connection.query('select id from clients');
    await seedFindings(connection, { findings: FINDINGS, clientId: String(rows[0]?.id) });
    await connection.end();
  },
};

/** Starts a server whose organisation has findings. */
export const startSeeded = async (): Promise<Seeded> => {
  const installation = await startInstallation(SEEDED);
  const { server, database } = installation;
  const api = await signIn(server, ADMIN.username, ADMIN.password);
  const [client] = await database.query('select id from clients');
  const repositories = await database.query('select id from repositories order by id');
  return {
    ...installation,
    api,
    clientId: String(client?.['id']),
    repositoryIds: repositories.map(({ id }) => String(id)),
    visit: async (browser, { username = ADMIN.username, password = ADMIN.password, ...options } = {}) => {
      const visitor = await newVisitor(browser, server.url, options);
      // Who is signed in is asked once, before anybody is.
      visitor.expectTrouble(/answer: 401 GET .*\/api\/v1\/session/);
      await signInOnScreen(visitor.page, username, password);
      return visitor;
    },
  };
};

import type { ReportTools } from '@breakwater/core/platform/model/connector-catalogue.ts';
import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { createPlacedDatabase } from '@breakwater/core/platform/server/placed-database.ts';
import { createImportScene, type ImportScene, readDemo } from '@breakwater/core/testing/import-scene.ts';
import { ensureAppLogin } from '@breakwater/host-server/postgres/app-login.ts';
import { migrate } from '@breakwater/host-server/postgres/migrate.ts';
import { createAppPool, createOwnerPool } from '@breakwater/host-server/postgres/pool.ts';
import { sql } from 'kysely';
import { type OwnPostgres, startOwnPostgres } from './own-postgres.ts';

/** A PostgreSQL server whose database may be one of several. */
export interface PlacedServer {
  postgres: OwnPostgres;
  url: string;
  appUrl: string;
  /** An organisation of it, a new one unless named, with imported reports. */
  openOrganisation(
    tools: ReportTools,
    reports: readonly (readonly [tool: string, file: string])[],
    clientId?: string,
  ): Promise<ImportScene>;
  stop(): Promise<void>;
}

export const startPlacedServer = async (): Promise<PlacedServer> => {
  const postgres = await startOwnPostgres({ isLogical: true });
  const url = postgres.url('breakwater');
  await migrate(url);
  const { url: appUrl } = await ensureAppLogin(url);
  const owner = createOwnerPool(url);
  const database = createDatabase(createAppPool(appUrl, 2));
  return {
    ...{ postgres, url, appUrl },
    openOrganisation: async (tools, reports, clientId) => {
      const here = { url, appUrl, database, owner, drop: async () => undefined };
      const scene = await createImportScene(tools, { database: here, clientId });
      for (const [tool, file] of reports) await scene.import(tool, await readDemo(file));
      return scene;
    },
    stop: async () => {
      await database.close();
      await owner.end();
      await postgres.stop();
    },
  };
};

/** The databases as one process sees them. */
export const openPlaced = (servers: ReadonlyMap<string, PlacedServer>): DatabaseHandle =>
  createPlacedDatabase(new Map([...servers].map(([name, { appUrl }]) => [name, createAppPool(appUrl, 4)])));

/** Rows and a digest of every table of an organisation, computed columns too; tables without rows are left out. */
export const contentOf = async (server: PlacedServer, clientId: string): Promise<Record<string, string>> => {
  const tables = await server.postgres.query(`
    select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id') as has_client
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'placements'
      and (c.relname = 'clients' or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'client_id'))`);
  const parts = tables.map(
    ({
      name,
      has_client,
    }) => `select '${name}' as name, count(*) || ' rows, ' || md5(string_agg(t::text, '|' order by t::text)) as content
      from ${name} t where ${has_client === true ? 'client_id' : 'id'} = '${clientId}' having count(*) > 0`,
  );
  const rows = await server.postgres.query(`set timezone = 'UTC'; ${parts.join(' union all ')}`);
  return Object.fromEntries(rows.map(({ name, content }) => [String(name), String(content)]));
};

/** What is left in a server of copying: nothing, once a move has ended one way or the other. */
export const replicationOf = (server: PlacedServer): Promise<Record<string, unknown>[]> =>
  server.postgres.query(`
    select pubname::text as name from pg_publication union all select subname from pg_subscription
    union all select slot_name from pg_replication_slots`);

export interface Use {
  /** Numbers whose write was acknowledged. */
  acknowledged: number[];
  /** How many reads ended. */
  reads: number;
  /** Those that took a write, as they say themselves. */
  servers: Set<string>;
  /** Ends both loops. @throws what one of them met. */
  stop(): Promise<void>;
}

const KEY = 'placements test';

/** Numbers that an organisation has written, in order. */
export const writtenNumbers = async (database: DatabaseHandle, clientId: string): Promise<number[]> =>
  database.readClient(clientId, async (db) => {
    const { rows } = await sql<{ n: number }>`
      select key::int as n from job_state where job = ${KEY} and key <> 'last' order by 1`.execute(db);
    return rows.map(({ n }) => n);
  });

/** One write: a row more, a row changed, and a finding decided, whose trigger changes the aggregates. @returns the server that took it. */
const write = (database: DatabaseHandle, clientId: string, n: number): Promise<string> =>
  database.forClient(clientId, async (db) => {
    await sql`insert into job_state (client_id, job, key) values (${clientId}, ${KEY}, ${String(n)})`.execute(db);
    await sql`
      insert into job_state (client_id, job, key, requests) values (${clientId}, ${KEY}, 'last', ${n})
      on conflict (client_id, job, key) do update set requests = ${n}`.execute(db);
    await sql`
      update findings set verdict = case verdict when 'none' then 'valid' else 'none' end
      where id = (select id from findings order by id offset ${n % 20} limit 1)`.execute(db);
    const { rows } = await sql<{ server: string }>`
      select system_identifier::text as server from pg_control_system()`.execute(db);
    return rows[0]?.server ?? '';
  });

/** What a read sees, in one statement. */
const look = (database: DatabaseHandle, clientId: string) =>
  database.readClient(clientId, async (db) => {
    const { rows } = await sql<{ last: number; findings: number; counted: number; others: number }>`
      select (select requests from job_state where job = ${KEY} and key = 'last') as last,
        (select count(*) from findings) as findings, (select sum(count)::bigint from aggregate_cells) as counted,
        (select count(*) from findings where client_id <> ${clientId}) as others`.execute(db);
    const [seen] = rows;
    if (seen === undefined) throw new Error('The read saw nothing.');
    return seen;
  });

/** An organisation in use: one process writes, another reads, until stopped. Each read is held to what was acknowledged before it began. */
export const useOrganisation = async (
  [writer, reader]: readonly [DatabaseHandle, DatabaseHandle],
  clientId: string,
  first: number,
): Promise<Use> => {
  const use: Omit<Use, 'stop'> = { acknowledged: [], reads: 0, servers: new Set() };
  let isStopped = false;
  const writeOne = async (n: number): Promise<void> => {
    use.servers.add(await write(writer, clientId, n));
    use.acknowledged.push(n);
  };
  await writeOne(first);
  const writing = async (): Promise<void> => {
    for (let n = first + 1; !isStopped; n += 1) await writeOne(n);
  };
  const reading = async (): Promise<void> => {
    for (let least = 0; !isStopped; ) {
      const before = use.acknowledged.at(-1) ?? 0;
      const seen = await look(reader, clientId);
      if (seen.last < before) throw new Error(`A read saw ${seen.last} after ${before} had been acknowledged.`);
      if (seen.others !== 0 || seen.findings !== seen.counted || seen.findings < least)
        throw new Error(`A read saw ${JSON.stringify(seen)} after ${least} findings.`);
      least = seen.findings;
      use.reads += 1;
    }
  };
  const loops = Promise.all([writing(), reading()]);
  loops.catch(() => {
    isStopped = true;
  });
  return Object.assign(use, {
    stop: async () => {
      isStopped = true;
      await loops;
    },
  });
};

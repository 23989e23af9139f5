import { MAIN_DATABASE } from '@breakwater/core/platform/server/placed-database.ts';
import pg from 'pg';
import {
  type ClientTable,
  DIGEST_OPTIONS,
  deleteClientRows,
  digestClient,
  listClientTables,
  summarise,
} from './client-rows.ts';
import { copyRows } from './copy-rows.ts';
import { placementIn, requireMovable } from './obstacles.ts';
import {
  isPublished,
  isSubscribed,
  openSlot,
  publish,
  startSubscription,
  stopSubscription,
  subscribe,
  unpublish,
  unsubscribe,
  untilCaughtUp,
} from './replication.ts';
import { place, type Switched, switchClient } from './switch-client.ts';

/** Each is named before it begins. Until `open` everything is taken back where one fails; from there on, moving again finishes it. */
export type MoveStep = 'publish' | 'copy' | 'catch up' | 'switch' | 'open' | 'remove';

export interface MoveOptions {
  clientId: string;
  /** Name of the database to move to. */
  to: string;
  /** Every database by name: address of its owner, a superuser, as its server and those of the others reach it. */
  databases: ReadonlyMap<string, string>;
  onStep?: (step: MoveStep) => void | Promise<void>;
}

/** What was moved; nothing where the client was there already, or a move that had switched was only finished. */
export type Moved = Switched | undefined;

interface Move {
  clientId: string;
  from: string;
  to: string;
  sourceUrl: string;
  tables: readonly ClientTable[];
  main: pg.Client;
  source: pg.Client;
  target: pg.Client;
  holder: pg.Client;
  step(step: MoveStep): Promise<void>;
}

const MAX_CATCH_UP_MS = 600_000;
/** Lag with which the stop begins; it has to be caught up again during the stop. */
const MAX_LAG_MS = 1000;

const connect = async (url: string): Promise<pg.Client> => {
  const client = new pg.Client({
    connectionString: url,
    options: DIGEST_OPTIONS,
    application_name: 'breakwater-placement',
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
};

const urlOf = (databases: ReadonlyMap<string, string>, name: string): string => {
  const url = databases.get(name);
  if (url === undefined)
    throw new Error(`There is no database "${name}"; there are ${[...databases.keys()].join(', ')}.`);
  return url;
};

/** Takes back what has not been switched: the target keeps no row, the source goes on as if nothing had been. */
const undo = async (move: Move): Promise<void> => {
  const { clientId, source, target, tables } = move;
  if (await isSubscribed(target, clientId)) {
    await stopSubscription(target, clientId);
    await target.query('begin');
    try {
      await deleteClientRows(target, tables, clientId);
      await target.query('commit');
    } catch (error) {
      await target.query('rollback');
      throw error;
    }
  }
  await unsubscribe(move, clientId);
  await unpublish(source, clientId);
};

const requireNoRows = async ({ clientId, to, target, tables }: Move): Promise<void> => {
  const rows = (await digestClient(target, tables, clientId)).filter((table) => table.rows > 0);
  if (rows.length === 0) return;
  throw new Error(
    `The database "${to}" has rows of the organisation already, in ${rows.map(({ table }) => table).join(', ')}. ` +
      'They are no copy of an interrupted move: find out where they come from first.',
  );
};

/** Copies while the client is in use, until the copy is nearly up to date. */
const copy = async (move: Move): Promise<void> => {
  const { clientId, source, target, tables, sourceUrl, step } = move;
  await step('publish');
  await publish(source, tables, clientId);
  // before the first row, as it says that the rows there are a copy
  await subscribe(target, sourceUrl, clientId);
  await step('copy');
  const slot = await openSlot(sourceUrl, clientId);
  try {
    await copyRows(move, clientId, slot.snapshot);
  } finally {
    await slot.close();
  }
  await step('catch up');
  await startSubscription(target, clientId);
  await target.query('select refresh_statistics()');
  while ((await untilCaughtUp(move, clientId, MAX_CATCH_UP_MS)) > MAX_LAG_MS);
};

/** Lets the client in at the target. What it says itself counts; `main` is where others look. */
const open = async ({ clientId, to, main, target, step }: Move): Promise<void> => {
  await step('open');
  await place(target, { clientId, to, leftDigest: null });
  if (to !== MAIN_DATABASE)
    await main.query(
      `insert into placements (client_id, database) values ($1, $2)
       on conflict (client_id) do update set database = $2, changed_at = now()`,
      [clientId, to],
    );
};

/** Deletes what the source still has, unless somebody has written to it since: what went past the lock is not lost unseen. */
const removeLeft = async (move: Move): Promise<void> => {
  const { clientId, from, source, tables, step } = move;
  await step('remove');
  await unsubscribe(move, clientId);
  await source.query('begin isolation level repeatable read');
  try {
    const { rows } = await source.query<{ left_digest: string | null }>(
      'select left_digest from placements where client_id = $1',
      [clientId],
    );
    if (rows[0]?.left_digest !== summarise(await digestClient(source, tables, clientId)))
      throw new Error(
        `The organisation was moved, but its rows in "${from}" were changed afterwards, past its placement, and are kept there. ` +
          'Find out by whom, carry over what is missing, and delete them.',
      );
    await deleteClientRows(source, tables, clientId);
    await source.query('update placements set left_digest = null where client_id = $1', [clientId]);
    await unpublish(source, clientId);
    await source.query('commit');
  } catch (error) {
    await source.query('rollback');
    throw error;
  }
};

const run = async (move: Move): Promise<Moved> => {
  const { clientId, from, to, source } = move;
  let switched: Moved;
  await requireClient(move);
  if ((await placementIn(source, clientId)) === from) {
    await undo(move);
    await requireNoRows(move);
    try {
      await copy(move);
      await move.step('switch');
      switched = await switchClient(move);
    } catch (error) {
      // a commit whose answer was lost has switched after all
      if ((await placementIn(source, clientId)) === from) await undo(move);
      throw error;
    }
  }
  if ((await placementIn(source, clientId)) !== to)
    throw new Error(`A move of the organisation to another database is not finished. Finish that first.`);
  await open(move);
  await removeLeft(move);
  return switched;
};

const requireClient = async ({ clientId, from, source }: Move): Promise<void> => {
  const { rowCount } = await source.query('select from clients where id = $1', [clientId]);
  if (rowCount === 0) throw new Error(`There is no organisation ${clientId} in "${from}", where it should be.`);
};

/** Where the rows are that may be moved: what `main` says, or what an unfinished move to `to` left behind. */
const findSource = async (
  { clientId, to, databases }: MoveOptions,
  main: pg.ClientBase,
): Promise<string | undefined> => {
  const from = await placementIn(main, clientId);
  if (from !== to) return from;
  for (const [name, url] of databases) {
    if (name === to) continue;
    const client = await connect(url);
    try {
      if (await isPublished(client, clientId)) return name;
    } finally {
      await client.end();
    }
  }
  return undefined;
};

/** One move of a client at a time, as long as the session lasts. */
const takeMove = async (main: pg.ClientBase, clientId: string): Promise<void> => {
  const { rows } = await main.query<{ is_taken: boolean }>(
    `select pg_try_advisory_lock(hashtextextended('move:' || $1, 0)) as is_taken`,
    [clientId],
  );
  if (rows[0]?.is_taken !== true) throw new Error('The organisation is being moved already.');
};

/**
 * Moves an organisation with all its rows to another database while it is used: copied by logical replication, switched under a lock that
 * holds its transactions for the last milliseconds, compared before and deleted after. Every process that uses it has to go through
 * `createPlacedDatabase`, which the server does not do yet (docs/decisions/2026-11-27-placements.md): so no command leads here.
 * A move that failed or was killed is taken back, or finished where it had switched, by moving again.
 * @throws with what to do; until the step `open` nothing has changed then
 */
export const moveClient = async (options: MoveOptions): Promise<Moved> => {
  const { clientId, to, databases } = options;
  const opened: pg.Client[] = [];
  const connected = async (name: string): Promise<pg.Client> => {
    const client = await connect(urlOf(databases, name));
    opened.push(client);
    return client;
  };
  try {
    const main = await connected(MAIN_DATABASE);
    await takeMove(main, clientId);
    const target = await connected(to);
    const from = await findSource(options, main);
    if (from === undefined) return undefined;
    const [source, holder] = [await connected(from), await connected(from)];
    await requireMovable({ name: from, client: source }, { name: to, client: target });
    const tables = await listClientTables(source);
    const step = async (name: MoveStep): Promise<void> => options.onStep?.(name);
    const sourceUrl = urlOf(databases, from);
    return await run({ clientId, from, to, sourceUrl, tables, main, source, target, holder, step });
  } finally {
    for (const client of opened) await client.end().catch(() => undefined);
  }
};

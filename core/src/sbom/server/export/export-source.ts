import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { ClientReads } from '../../../platform/server/client-access.ts';
import type { Db } from '../../../platform/server/database.ts';
import { listEdges, listNamed } from '../queries/component-detail.ts';
import { type InventoryState, readInventoryState } from '../queries/inventories.ts';

const PAGE = 500;

/** What an export is about. */
export interface ExportTarget {
  database: ClientReads;
  clientId: string;
  repositoryId: string;
  /** Name of the application. */
  name: string;
}

const PackageFile = Type.Object({ version: Type.String() });
const readVersion = (): string =>
  Value.Parse(PackageFile, JSON.parse(readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8')))
    .version;

/** Who writes the documents. */
export const EXPORT_TOOL = { name: 'Breakwater', version: readVersion() };

/** A UUID (version 8, RFC 9562) made of texts: the same texts give the same id. */
export const uuidOf = (...texts: readonly string[]): string => {
  const hex = createHash('sha256').update(texts.join('\0')).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
};

/** A component with the rows that name it: one for each inventory. */
interface Merged {
  component: ExportedComponent;
  ids: string[];
}

/** Rows of the same digest become one: the newest speaks, and what one inventory calls direct is direct. */
const merge = (rows: readonly ExportedComponent[]): Merged[] => {
  const merged: Merged[] = [];
  for (const row of rows) {
    const last = merged.at(-1);
    if (last?.component.digest !== row.digest) {
      merged.push({ component: { ...row }, ids: [row.id] });
      continue;
    }
    last.ids.push(row.id);
    if (row.direct === true) last.component.direct = true;
    last.component.direct ??= row.direct;
  }
  return merged;
};

/** The inventory page by page, each page with the transaction it was read in. */
async function* pagesOf<T>(target: ExportTarget, use: (db: Db, page: Merged[]) => Promise<T[]>): AsyncGenerator<T> {
  const { database, clientId, repositoryId } = target;
  for (let after: string | undefined, limit = PAGE; ; ) {
    const request = { clientId, repositoryId, after, limit };
    const { found, isLast, used } = await database.forClient(clientId, async (db) => {
      const rows = await exportComponents(db, request);
      const isWhole = rows.length < request.limit;
      // the rows of the last digest may go on behind the page
      const page = isWhole ? merge(rows) : merge(rows).slice(0, -1);
      return { found: page, isLast: isWhole, used: await use(db, page) };
    });
    yield* used;
    if (isLast) return;
    const last = found.at(-1);
    if (last === undefined) limit *= 2;
    else after = last.component.digest;
  }
}

/** All components of the application by digest, each once, a page in memory at a time. */
export const componentsOf = (target: ExportTarget): AsyncGenerator<ExportedComponent> =>
  pagesOf(target, async (_db, page) => page.map(({ component }) => component));

export interface ExportedEdges {
  digest: string;
  /** Digests of what it needs, in their order. */
  needs: string[];
}

const MAX_EDGES = 1_000_000;

const addTo = (lists: Map<string, string[]>, key: string, value: string): void => {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
};

/** What each component needs, in the order of the components. */
export const edgesOf = (target: ExportTarget): AsyncGenerator<ExportedEdges> =>
  pagesOf(target, async (db, page) => {
    const { clientId } = target;
    const ids = page.flatMap((merged) => merged.ids);
    const edges = await listEdges(db, { clientId, ids, at: 'from', limit: MAX_EDGES });
    const targets = await listNamed(db, { clientId, ids: [...new Set(edges.map((edge) => edge.to_id))] });
    const digests = new Map(targets.map(({ id, digest }) => [id, digest]));
    const needs = new Map<string, string[]>();
    for (const { from_id, to_id } of edges) {
      const digest = digests.get(to_id);
      if (digest !== undefined) addTo(needs, from_id, digest);
    }
    return page.map(({ component: { digest }, ids: own }) => {
      const all = new Set(own.flatMap((id) => needs.get(id) ?? []));
      all.delete(digest);
      return { digest, needs: [...all].sort() };
    });
  });

/** Digests of what the application names itself. */
export async function* directOf(target: ExportTarget): AsyncGenerator<string> {
  for await (const { direct, digest } of componentsOf(target)) if (direct === true) yield digest;
}

/** Whether any inventory says what is needed directly. Reads components_for_export up to the first that does. */
export const isDirectStated = ({ database, clientId, repositoryId }: ExportTarget): Promise<boolean> =>
  database.forClient(clientId, async (db) => {
    const { rows } = await sql<{ found: boolean }>`
      select exists (
        select from components
        where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null and direct is not null
      ) as found
    `.execute(db);
    return rows[0]?.found === true;
  });

export const stateOf = ({ database, clientId, repositoryId }: ExportTarget): Promise<InventoryState> =>
  database.forClient(clientId, (db) => readInventoryState(db, { clientId, repositoryId }));

/** Pages are read one after the other; an import in between would mix two inventories in one document. */
export const assertUnchanged = async (target: ExportTarget, before: InventoryState): Promise<void> => {
  const after = await stateOf(target);
  if (after.fingerprint !== before.fingerprint)
    throw new AppError('conflict', msg('The inventory changed while it was exported. Download it again.'));
};

export interface ExportedComponent {
  id: string;
  /** Digest of purl, else of group, name, version and type: the same in every inventory and application. */
  digest: string;
  name: string;
  version: string | null;
  group_name: string | null;
  purl: string | null;
  type: string | null;
  licenses: string[];
  description: string | null;
  direct: boolean | null;
}

export interface ExportPage {
  clientId: string;
  repositoryId: string;
  /** Digest of the last component of the page before; absent for the first. */
  after: string | undefined;
  limit: number;
}

const FIRST = '00000000-0000-0000-0000-000000000000';

/** The next rows of an application's inventories by digest, the newest first where several list the same. Reads components_for_export. */
export const exportComponents = async (db: Db, page: ExportPage): Promise<ExportedComponent[]> => {
  const { rows } = await sql<ExportedComponent>`
    select id, digest, name, version, group_name, purl, type, licenses, description, direct
    from components
    where client_id = ${page.clientId} and repository_id = ${page.repositoryId} and removed_at is null and digest > ${page.after ?? FIRST}
    order by digest, last_seen desc, id
    limit ${page.limit}
  `.execute(db);
  return rows;
};

/** `"name":[…]` of a stream of values, one a line. */
export async function* jsonArray(name: string, values: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `${JSON.stringify(name)}:[`;
  let before = '\n';
  for await (const value of values) {
    yield `${before}${JSON.stringify(value)}`;
    before = ',\n';
  }
  yield ']';
}

/** `"a":1,"b":2` of an object, without its braces. */
export const jsonFields = (fields: Record<string, unknown>): string => JSON.stringify(fields).slice(1, -1);

/** An object without the keys that hold nothing. */
export const stated = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );

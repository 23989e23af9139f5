import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { type QueryRows, runIn } from '../../prioritisation/server/index.ts';
import { createUseReader, type UseReader } from '../model/match-imports.ts';
import {
  type CoveredEcosystem,
  type EcosystemImports,
  type PackageUse,
  packageOf,
  REDUCING_USES,
  type UseOfPackage,
} from '../model/package-use.ts';
import './tables.ts';

export interface RepositoryRef {
  clientId: string;
  repositoryId: string;
}

/** Replaces what is known of a repository's imports. Nothing: it is as if it had never been analysed. */
export const writeImports = async (
  db: Db,
  { clientId, repositoryId, commit }: RepositoryRef & { commit: string },
  imports: readonly EcosystemImports[],
): Promise<void> => {
  await db
    .deleteFrom('package_imports')
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
    .execute();
  for (const known of imports) {
    await db
      .insertInto('package_imports')
      .values({
        ...{ client_id: clientId, repository_id: repositoryId, commit, ecosystem: known.ecosystem },
        imports: JSON.stringify(known.imports),
        declared: known.declared ?? null,
        aliases: JSON.stringify(known.aliases),
        is_dynamic: known.isDynamic,
        is_complete: known.isComplete,
      })
      .execute();
  }
};

/** Which analysis of a repository is the newest; empty: none. */
export const USES_VERSION = "coalesce((extract(epoch from max(analysed_at)) * 1000000)::bigint::text, '')";

/** By the primary key. */
const READ_IMPORTS = `
  select ecosystem, imports, declared, aliases, is_dynamic as "isDynamic", is_complete as "isComplete"
  from package_imports where client_id = $1 and repository_id = $2`;

type StoredImports = Omit<EcosystemImports, 'declared'> & { declared: string[] | null };

const readImports = async (
  query: QueryRows,
  { clientId, repositoryId }: RepositoryRef,
): Promise<EcosystemImports[]> => {
  const rows = await query<StoredImports>(READ_IMPORTS, [clientId, repositoryId]);
  return rows.map((row) => ({ ...row, declared: row.declared ?? undefined }));
};

/** A component as a finding names it. */
type Component = Parameters<typeof packageOf>[0];

/** Says how the code uses the package of a component; undefined where that is not known. */
const createUses = (imports: readonly EcosystemImports[]) => {
  const readers = new Map(
    imports.map((known): [CoveredEcosystem, UseReader] => [known.ecosystem, createUseReader(known)]),
  );
  return (component: Component): UseOfPackage | undefined => {
    const wanted = packageOf(component);
    return wanted === undefined ? undefined : readers.get(wanted.ecosystem)?.(wanted.name);
  };
};

/** What an import scores its findings with. */
export interface KnownUses {
  /** Says which analysis; empty: none. */
  readonly version: string;
  /** Null where nothing is known of its package. */
  of(component: Component): PackageUse | null;
}

/** How the code of a repository uses packages, by its newest analysis. */
export const readKnownUses = async (query: QueryRows, ref: RepositoryRef): Promise<KnownUses> => {
  const newest = `select ${USES_VERSION} as version from package_imports where client_id = $1 and repository_id = $2`;
  // read first: an analysis that is stored in between is newer than what is said of it, so that findings are scored anew
  const [row] = await query<{ version: string }>(newest, [ref.clientId, ref.repositoryId]);
  const use = createUses(await readImports(query, ref));
  return { version: row?.version ?? '', of: (component) => use(component)?.use ?? null };
};

interface DefinitionRow {
  id: number;
  component: string;
  ecosystem: string | null;
  purl: string | null;
}

/** Definitions with a component that findings of the repository or a branch of it have. Reads the client's aggregates and definitions by their keys. */
const readDefinitions = async (db: Db, { clientId, repositoryId }: RepositoryRef): Promise<DefinitionRow[]> => {
  const { rows } = await sql<DefinitionRow>`
    with cells as materialized (
      select c.cell from aggregate_sources k
      join aggregate_cells c on c.client_id = ${clientId} and c.source = k.source
      where k.client_id = ${clientId} and (k.repository_id = ${repositoryId} or k.repository_id in (
        select id from repository_branches where client_id = ${clientId} and repository_id = ${repositoryId}))
    )
    select x.id, x.component, x.ecosystem, x.purl from finding_definitions x
    where x.client_id = ${clientId} and x.component is not null and x.id in (
      select n.definition_id from aggregate_definitions n
      where n.client_id = ${clientId} and n.count > 0 and n.cell in (select cell from cells))`.execute(db);
  return rows;
};

interface UseRow {
  definition_id: number;
  use: PackageUse;
  name: string | null;
  path: string | null;
  line: number | null;
  files: number | null;
}

const usesOf = (definitions: readonly DefinitionRow[], imports: readonly EcosystemImports[]): UseRow[] => {
  const read = createUses(imports);
  return definitions.flatMap(({ id, component, ecosystem, purl }): UseRow[] => {
    const known = read({ name: component, ecosystem, purl });
    if (known === undefined) return [];
    const { use, by } = known;
    const place = { name: by?.name ?? null, path: by?.path ?? null, line: by?.line ?? null, files: by?.files ?? null };
    return [{ definition_id: id, use, ...place }];
  });
};

/** The uses that scores differ by. */
const reducedBy = (rows: readonly Pick<UseRow, 'definition_id' | 'use'>[]): string =>
  rows
    .filter(({ use }) => REDUCING_USES.includes(use))
    .map(({ definition_id, use }) => `${definition_id} ${use}`)
    .sort()
    .join();

/**
 * Computes how a repository uses the packages that its findings are about, from what is stored of its imports, and replaces what was stored.
 * @returns whether its findings are scored otherwise than with the uses from before
 */
export const computeUses = async (db: Db, ref: RepositoryRef): Promise<boolean> => {
  const { clientId, repositoryId } = ref;
  const imports = await readImports(runIn(db), ref);
  const rows = imports.length === 0 ? [] : usesOf(await readDefinitions(db, ref), imports);
  const before = await db
    .deleteFrom('package_uses')
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
    .returning(['definition_id', 'use'])
    .execute();
  await sql`
    insert into package_uses (client_id, repository_id, definition_id, use, name, path, line, files)
    select ${clientId}, ${repositoryId}, u.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      u (definition_id bigint, use text, name text, path text, line integer, files integer)`.execute(db);
  return reducedBy(rows) !== reducedBy(before);
};

/** How the code of a repository uses the package of a component, by its newest analysis; undefined where that is not known. */
export const readUseOfComponent = async (
  db: Db,
  ref: RepositoryRef,
  component: Component,
): Promise<UseOfPackage | undefined> => createUses(await readImports(runIn(db), ref))(component);

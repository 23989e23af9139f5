import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { createUseReader, type UseReader } from '../model/match-imports.ts';
import {
  type CoveredEcosystem,
  type EcosystemImports,
  type PackageUse,
  packageOf,
  REDUCING_USES,
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

const readImports = async (db: Db, { clientId, repositoryId }: RepositoryRef): Promise<EcosystemImports[]> => {
  const rows = await db
    .selectFrom('package_imports')
    .select(['ecosystem', 'imports', 'declared', 'aliases', 'is_dynamic', 'is_complete'])
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
    .execute();
  return rows.map(({ ecosystem, imports, declared, aliases, is_dynamic, is_complete }) => ({
    ...{ ecosystem, imports, aliases, declared: declared ?? undefined },
    ...{ isDynamic: is_dynamic, isComplete: is_complete },
  }));
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
  const readers = new Map(
    imports.map((known): [CoveredEcosystem, UseReader] => [known.ecosystem, createUseReader(known)]),
  );
  return definitions.flatMap(({ id, component, ecosystem, purl }): UseRow[] => {
    const wanted = packageOf({ name: component, ecosystem, purl });
    const reader = wanted === undefined ? undefined : readers.get(wanted.ecosystem);
    if (wanted === undefined || reader === undefined) return [];
    const { use, by } = reader(wanted.name);
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

/** What came of computing the uses of a repository. */
export interface ComputedUses {
  /** Findings are scored otherwise than with the uses from before. */
  isChanged: boolean;
  /** Findings are scored otherwise than without any. */
  isReduced: boolean;
}

/** Computes how a repository uses the packages that its findings are about, from what is stored of its imports, and replaces what was stored. */
export const computeUses = async (db: Db, ref: RepositoryRef): Promise<ComputedUses> => {
  const { clientId, repositoryId } = ref;
  const imports = await readImports(db, ref);
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
  return { isChanged: reducedBy(rows) !== reducedBy(before), isReduced: reducedBy(rows) !== '' };
};

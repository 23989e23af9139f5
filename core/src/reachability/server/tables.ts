import type { Generated, JSONColumnType } from 'kysely';
import type { CoveredEcosystem, ImportedName, PackageUse } from '../model/package-use.ts';

/** What the newest analysis of a repository read of one ecosystem. */
export interface PackageImportsTable {
  client_id: string;
  repository_id: string;
  ecosystem: CoveredEcosystem;
  commit: string;
  analysed_at: Generated<Date>;
  imports: JSONColumnType<ImportedName[], string, never>;
  /** Null where a manifest could not be read. */
  declared: string[] | null;
  aliases: JSONColumnType<Record<string, string>, string, never>;
  is_dynamic: boolean;
  is_complete: boolean;
}

/** How a repository and its branches use the package of a definition. No row: nothing is known. */
export interface PackageUsesTable {
  client_id: string;
  repository_id: string;
  definition_id: number;
  use: PackageUse;
  /** What imports it; null unless it is imported. So the next three. */
  name: string | null;
  path: string | null;
  line: number | null;
  files: number | null;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    package_imports: PackageImportsTable;
    /** @readable by findings, prioritisation */
    package_uses: PackageUsesTable;
  }
}

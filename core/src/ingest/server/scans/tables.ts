import type { TableMapping } from '@breakwater/sdk';
import type { Generated, JSONColumnType } from 'kysely';
import type { Static } from 'typebox';
import type { SCAN_STATUSES, ScanCounts, Unreadable } from '../../api/routes.ts';

export type ScanStatus = (typeof SCAN_STATUSES)[number];

/** A report as uploaded. Its bytes are in report_chunks. */
export interface ReportsTable {
  client_id: string;
  id: Generated<string>;
  sha256: Buffer;
  /** Unpacked. */
  size_bytes: number;
  created_at: Generated<Date>;
}

/** A piece of a report, zstd-compressed as one stream over all pieces. */
export interface ReportChunksTable {
  client_id: string;
  report_id: string;
  ordinal: number;
  data: Buffer;
}

/** What a report speaks for: results of one tool about one target of a repository. */
export interface ScanScopesTable {
  client_id: string;
  id: Generated<number>;
  repository_id: string;
  tool: string;
  target: Generated<string>;
  /** Of repository_branches; null for the default branch. */
  branch_id: Generated<string | null>;
  last_seen_at: Date | null;
  /** '' where neither report nor sender says. `target` holds it too, behind the target's own text. */
  part: Generated<string>;
  /** A person split it off; reports without a part are told apart by what they repeat. */
  is_split: Generated<boolean>;
  /** The report's own time of the newest one that was merged. */
  report_date: Generated<Date | null>;
}

export interface ScansTable {
  client_id: string;
  id: Generated<string>;
  repository_id: string;
  report_id: string | null;
  scope_id: number | null;
  /** As the sender named it; `auto` when nothing was named. */
  requested_tool: string;
  /** Id of the tool found or named. */
  tool: string | null;
  /** Set where the report holds records that this connector pulled. */
  connector_id: Generated<string | null>;
  /** The scan that this one takes back. */
  undoes: Generated<string | null>;
  file_name: string | null;
  /** As the sender named it; null for the default branch. */
  branch: Generated<string | null>;
  /** Of the scanned commit, as the sender named it. */
  commit_hash: Generated<string | null>;
  /** As the sender named it; null where the report says. */
  part: Generated<string | null>;
  accept_older: Generated<boolean>;
  /** How the columns of the report are read, where it is a table of no known tool. */
  mapping: JSONColumnType<TableMapping | null, string | null | undefined, string>;
  /** The report's own time. */
  report_date: Generated<Date | null>;
  /** Why the scan behind the report covers less than it should. */
  incomplete: JSONColumnType<string[], string | undefined, string>;
  /** The scan whose held back closing this one decides on. */
  settles: Generated<string | null>;
  settlement: Generated<'confirm' | 'split' | null>;
  status: Generated<ScanStatus>;
  /** 0-100. */
  percentage: Generated<number>;
  counts: JSONColumnType<Partial<Static<typeof ScanCounts>>, string | undefined, string>;
  unreadable: JSONColumnType<Static<typeof Unreadable>[], string | undefined, string>;
  code: string | null;
  detail: string | null;
  attempts: Generated<number>;
  created_by: string | null;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
}

/** A mapping of columns that an organisation keeps by name. */
export interface ColumnMappingsTable {
  client_id: string;
  id: Generated<string>;
  name: string;
  columns: string[];
  mapping: JSONColumnType<TableMapping, string, string>;
  changed_by: string | null;
  changed_at: Generated<Date>;
}

/** What people decided about which findings are the same. */
export interface CorrelationOverridesTable {
  client_id: string;
  repository_id: string;
  finding_id: string;
  /** The same as this one; itself: a duplicate of nothing. */
  other_id: string;
  at: Generated<Date>;
  actor: string;
  reason: string | null;
}

declare module '../../../platform/server/database.ts' {
  interface Database {
    reports: ReportsTable;
    report_chunks: ReportChunksTable;
    /** @readable by findings */
    scan_scopes: ScanScopesTable;
    /**
     * A repository says that its latest import failed.
     * @readable by repositories
     */
    scans: ScansTable;
    correlation_overrides: CorrelationOverridesTable;
    column_mappings: ColumnMappingsTable;
  }
}

import type { Generated, JSONColumnType } from 'kysely';
import type { CommitState } from '../model/commit-status.ts';
import type { ScanRequestStatus, ScanTrigger, ToolRun } from '../model/scan-requests.ts';
import '../../platform/server/database.ts';

/** A scan that the server starts itself. */
export interface ScanRequestsTable {
  client_id: string;
  id: Generated<string>;
  /** What to scan with: `all`, `cloud`, a category or a scanner. */
  scan_type: string;
  /** Null for a scan of the clouds. */
  repository_id: string | null;
  status: Generated<ScanRequestStatus>;
  trigger: Generated<ScanTrigger>;
  /** Null: the default branch of the repository. */
  branch: string | null;
  commit_hash: string | null;
  pull_request: number | null;
  percentage: Generated<number>;
  tools: JSONColumnType<ToolRun[], string | undefined, string>;
  code: string | null;
  /** Why it failed, for people. */
  detail: string | null;
  attempts: Generated<number>;
  /** The run that works on it, as long as `lease_until` lies ahead. */
  lease_id: string | null;
  lease_until: Date | null;
  created_by: string | null;
  created_at: Generated<Date>;
  started_at: Date | null;
  finished_at: Date | null;
}

/** What the provider of a repository was told of a commit. */
export interface CommitStatusesTable {
  client_id: string;
  repository_id: string;
  commit_hash: string;
  /** As it stands at the provider. */
  state: CommitState | null;
  description: string | null;
  /** Digest of what stands there, and of what was tried last. */
  said: string | null;
  tried: string | null;
  attempts: Generated<number>;
  problem: string | null;
  retry_at: Date | null;
  pull_request: number | null;
  comment_url: string | null;
  changed_at: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    scan_requests: ScanRequestsTable;
    /**
     * The list of imports shows it.
     * @readable by ingest
     */
    commit_statuses: CommitStatusesTable;
  }
}

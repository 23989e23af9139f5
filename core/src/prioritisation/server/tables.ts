import type { Generated, JSONColumnType } from 'kysely';
import type { FeedSource } from '../model/feeds.ts';
import type { PrioritySettings } from '../model/settings/priority-settings.ts';

/** How a client weighs what a priority rests on; the highest version holds. */
export interface PrioritySettingsTable {
  client_id: string;
  version: number;
  settings: JSONColumnType<PrioritySettings, string, never>;
  changes_priorities: boolean;
  updated_by: string;
  updated_at: Generated<Date>;
}

/** How far a client's findings are scored with its settings. */
export interface PriorityRescoresTable {
  client_id: string;
  version: number;
  after_finding: Generated<string>;
  done: Generated<number>;
  total: number;
  job_id: string | null;
  finished_at: Date | null;
}

/** EPSS and KEV that replace the delivered data, the same for every client. */
export interface ReferenceFeedsTable {
  source: FeedSource;
  /** Grows with every replacement of either source. */
  version: number;
  origin: 'feed' | 'file';
  name: string;
  data_date: string;
  model: string | null;
  entries: number;
  sha256: string;
  content: Buffer;
  loaded_at: Generated<Date>;
}

/** When a feed was last asked, and what came of it. */
export interface ReferenceFeedChecksTable {
  source: FeedSource;
  address: string;
  checked_at: Generated<Date>;
  /** Why nothing was replaced. */
  failure: string | null;
  etag: string | null;
  last_modified: string | null;
}

/** How far a client's findings are scored with the newest EPSS and KEV. */
export interface RescoresTable {
  client_id: string;
  version: number;
  after_definition: Generated<number>;
  /** Open findings that KEV lists anew, since the last notice. */
  kev_found: Generated<number>;
  finished_at: Date | null;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    priority_settings: PrioritySettingsTable;
    priority_rescores: PriorityRescoresTable;
    reference_feeds: ReferenceFeedsTable;
    reference_feed_checks: ReferenceFeedChecksTable;
    rescores: RescoresTable;
  }
}

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

declare module '../../platform/server/database.ts' {
  interface Database {
    priority_settings: PrioritySettingsTable;
    reference_feeds: ReferenceFeedsTable;
  }
}

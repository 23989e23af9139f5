import type { Generated, JSONColumnType } from 'kysely';
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

declare module '../../platform/server/database.ts' {
  interface Database {
    priority_settings: PrioritySettingsTable;
    priority_rescores: PriorityRescoresTable;
  }
}

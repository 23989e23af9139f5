import type { Generated } from 'kysely';
import type { BoardCard } from '../model/board.ts';

/** How an organisation arranges its dashboard; no row: the default. */
export interface DashboardBoardsTable {
  client_id: string;
  cards: BoardCard[];
  hidden: BoardCard[];
  updated_by: string | null;
  updated_at: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    dashboard_boards: DashboardBoardsTable;
  }
}

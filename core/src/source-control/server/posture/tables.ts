import type { JSONColumnType } from 'kysely';
import type { PostureState } from '../../model/posture.ts';
import '../../../platform/server/database.ts';

/** What the settings of a repository at its provider say. */
export interface RepositoryPostureTable {
  client_id: string;
  repository_id: string;
  /** Of the newest reading that succeeded. */
  answers: JSONColumnType<PostureState[], string | undefined, string>;
  /** Null: none has succeeded. */
  read_at: Date | null;
  /** Why the newest reading failed, for people; null where it did not. */
  problem: string | null;
  next_at: Date;
}

declare module '../../../platform/server/database.ts' {
  interface Database {
    repository_posture: RepositoryPostureTable;
  }
}

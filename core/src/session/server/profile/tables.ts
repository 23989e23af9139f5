import type { Generated } from 'kysely';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

interface AvatarsTable {
  client_id: string;
  user_id: string;
  /** SHA-256 of the e-mail, by which the service was asked. */
  email_hash: string;
  /** Null: the service has none. */
  image: Buffer | null;
  media_type: ImageType | null;
  checked_at: Generated<Date>;
}

declare module '../../../platform/server/database.ts' {
  interface Database {
    avatars: AvatarsTable;
  }
}

import type { Generated } from 'kysely';
import type { PartnerKind } from '../model/partners.ts';

/** A company; the same for every client. */
export interface PartnersTable {
  id: Generated<string>;
  name: string;
  kind: PartnerKind;
  description: Generated<string>;
  website: string | null;
  email: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    partners: PartnersTable;
  }
}

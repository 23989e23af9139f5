import type { ColumnType, Generated } from 'kysely';
import type { StoredCompany } from '../model/company.ts';

/** An organisation: the tenant. */
export interface ClientsTable {
  id: Generated<string>;
  organization_name: string;
  legal_name: Generated<string>;
  address: Generated<string>;
  enable_false_positive_analysis: Generated<boolean>;
  schedule_scan: Generated<'none' | 'weekly' | 'monthly'>;
  pipeline_integration: Generated<boolean>;
  autonomous_scan: Generated<boolean>;
  excluded_tools: Generated<string[]>;
  account_setup_at: Generated<Date>;
  company: ColumnType<StoredCompany, string | undefined, string>;
  /** Plan: `free`, or the name of a paid one. */
  subscription_tier: Generated<string>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * The first set-up makes the organisation with its admin.
     * @readable by connectors, findings, ingest, platform, prioritisation, scanning, source-control, team
     * @writable by session
     */
    clients: ClientsTable;
  }
}

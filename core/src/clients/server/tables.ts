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
  /** People who sign in with a password have to set up two-factor. */
  require_2fa: Generated<boolean>;
  account_setup_at: Generated<Date>;
  /** When the admins were reminded that nothing was imported yet; null: never. */
  reminder_sent_at: Date | null;
  /** How long entries of the audit log stay. */
  audit_retention_days: Generated<number>;
  /** How long reports stay as they were uploaded. */
  report_retention_days: Generated<number>;
  company: ColumnType<StoredCompany, string | undefined, string>;
  /** Plan: `free`, or the name of a paid one. */
  subscription_tier: Generated<string>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * The first set-up makes the organisation with its admin; its plan is changed by billing.
     * @readable by audit, connectors, feedback, findings, ingest, installed-plugins, platform, prioritisation, published-connectors, remediation, scanning, source-control, team
     * @writable by billing, session
     */
    clients: ClientsTable;
  }
}

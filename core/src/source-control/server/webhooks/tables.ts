import type { Generated } from 'kysely';
import type { WebhookState } from '../../api/webhook-routes.ts';
import '../../../platform/server/database.ts';

/** The webhook of a repository at its provider. */
export interface RepositoryWebhooksTable {
  client_id: string;
  repository_id: string;
  state: Generated<WebhookState>;
  /** Its id at the provider; null: none is known there. */
  webhook_id: string | null;
  /** Why it could not be made or deleted, for people; null where it could. */
  problem: string | null;
  /** Failures since the last success. */
  attempts: Generated<number>;
  /** When it is made or looked at again; null: a person removed it, and asks for it again. */
  next_at: Date | null;
  /** The run that asks the provider. */
  run_id: string | null;
  run_until: Date | null;
  changed_at: Generated<Date>;
}

declare module '../../../platform/server/database.ts' {
  interface Database {
    /**
     * Pull requests of a repository whose webhook works are asked about seldom.
     * @readable by remediation
     */
    repository_webhooks: RepositoryWebhooksTable;
  }
}

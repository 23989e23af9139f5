import type { Generated, JSONColumnType } from 'kysely';
import type { TemplateField } from '../model/fix.ts';
import type { ProcessingStatus, RemediationType } from '../model/states.ts';
import '../../platform/server/database.ts';

/** A file that a diff may touch, and what the diff was made from. */
export interface BaseFile {
  path: string;
  /** Hex; null where there was no such file. */
  sha256: string | null;
}

/** How a finding is fixed. */
export interface RemediationsTable {
  client_id: string;
  id: Generated<string>;
  finding_id: string;
  /** Of the repository, also where the finding is one of another branch. */
  repository_id: string;
  branch: string;
  title: string;
  description: Generated<string>;
  date: Generated<Date>;
  file_path: string | null;
  line: number | null;
  processing_status: Generated<ProcessingStatus>;
  remediation_type: Generated<RemediationType>;
  code_diff: string | null;
  code_diff_original: string | null;
  code_snippet: string | null;
  code_snippet_original: string | null;
  is_template: Generated<boolean>;
  template: string | null;
  template_fields: JSONColumnType<TemplateField[], string | undefined, string>;
  template_values: JSONColumnType<Record<string, string>, string | undefined, string>;
  reference_url: string | null;
  files: JSONColumnType<BaseFile[], string | undefined, string>;
  is_edited: Generated<boolean>;
  failure: string | null;
  notes: JSONColumnType<string[], string | undefined, string>;
  /** Of the run that works on it, as long as `run_until` lies ahead. */
  run_id: string | null;
  run_until: Date | null;
  submission: Generated<number>;
  fix_branch: string | null;
  number: number | null;
  created_by: string | null;
  updated_at: Generated<Date>;
}

export interface RemediationEventsTable {
  client_id: string;
  remediation_id: string;
  id: Generated<string>;
  at: Generated<Date>;
  actor: string | null;
  kind: string;
  from_value: string | null;
  to_value: string | null;
  detail: string | null;
}

/** A ticket on its way to the webhook. */
export interface TicketDeliveriesTable {
  client_id: string;
  id: Generated<string>;
  remediation_id: string;
  /** JSON as it is sent, the same at every attempt. */
  body: string;
  status: Generated<'pending' | 'delivered' | 'dead'>;
  attempts: Generated<number>;
  next_at: Generated<Date>;
  status_code: number | null;
  answer: string | null;
  created_by: string | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * The status of a finding with a remediation is moved by that alone.
     * @readable by findings
     */
    remediations: RemediationsTable;
    remediation_events: RemediationEventsTable;
    ticket_deliveries: TicketDeliveriesTable;
  }
}

import type { SettingChange } from '@breakwater/sdk';
import type { Generated, JSONColumnType } from 'kysely';
import type { AssessedVerdict, AssessmentReason, AssessmentState } from '../model/assessment.ts';
import type { TemplateField } from '../model/fix.ts';
import type { ChangeKind, ProcessingStatus, RemediationType } from '../model/states.ts';
import '../../platform/server/database.ts';

/** A file that a diff may touch, and what the diff was made from. */
export interface BaseFile {
  path: string;
  /** Hex; null where there was no such file. */
  sha256: string | null;
}

/** What a person asked a run for, so that another process can do it where this one dies. */
export interface RunRequest {
  /** A person, with the rights that they have when it is taken up. */
  actor: string;
  /** How often it was taken up. */
  attempts: number;
  work:
    | {
        kind: 'generate';
        type: RemediationType;
        isByAi?: boolean;
        templateValues?: Readonly<Record<string, string>>;
      }
    | { kind: 'open'; as: RemediationType };
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
  /** What the run was asked for, where nobody but the poller would take it up. */
  run_request: JSONColumnType<RunRequest, string | null, string | null> | null;
  submission: Generated<number>;
  fix_branch: string | null;
  number: number | null;
  /** What applying it changes at the provider; null where it is no fix of settings. */
  settings: JSONColumnType<SettingChange[] | null, string | null | undefined, string | null>;
  created_by: string | null;
  updated_at: Generated<Date>;
  /** When its provider was last asked how its pull request or issue stands. */
  polled_at: Date | null;
  /** The model that wrote the fix; null: it was made without one. */
  model: string | null;
  input_tokens: number | null;
  output_tokens: number | null;
  /** Millionths of a US dollar; null where the connection has no prices. */
  cost_micros: number | null;
  /** What was wrong with the first answer; null: there was one alone. */
  ai_repaired: string | null;
}

/** One time that a model was asked, with all its rounds. */
export interface AiUsesTable {
  client_id: string;
  id: Generated<string>;
  purpose: 'remediation' | 'validation';
  finding_id: string;
  model: string;
  input_tokens: Generated<number>;
  output_tokens: Generated<number>;
  cost_micros: number | null;
  actor: string | null;
  created_at: Generated<Date>;
}

/** What a model proposes about a finding. */
export interface FindingAssessmentsTable {
  client_id: string;
  finding_id: string;
  verdict: AssessedVerdict;
  /** 0-100 */
  confidence: number;
  reasons: JSONColumnType<AssessmentReason[], string, string>;
  /** The file that the model was shown, and its SHA-256 in hex. */
  file_path: string;
  file_sha256: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  cost_micros: number | null;
  state: Generated<AssessmentState>;
  created_at: Generated<Date>;
  created_by: string | null;
  decided_at: Date | null;
  decided_by: string | null;
}

/** A finding that a model is looking at. */
export interface AssessmentRunsTable {
  client_id: string;
  finding_id: string;
  run_id: string;
  run_until: Date;
  actor: string;
}

export interface RemediationEventsTable {
  client_id: string;
  remediation_id: string;
  id: Generated<string>;
  at: Generated<Date>;
  actor: string | null;
  kind: ChangeKind;
  from_value: string | null;
  to_value: string | null;
  detail: string | null;
}

/** A ticket on its way to a ticket system, and what is known of it there. */
export interface TicketDeliveriesTable {
  client_id: string;
  /** The key under which the ticket is made once. */
  id: Generated<string>;
  remediation_id: string;
  /** The ticket system: id of a connector with the capability `tickets`. */
  connector_id: Generated<string>;
  /** What the ticket says, as JSON: the same at every attempt. */
  body: string;
  status: Generated<'pending' | 'delivered' | 'dead'>;
  attempts: Generated<number>;
  next_at: Generated<Date>;
  /** Of the process that is at it, as long as it lies ahead. */
  claimed_until: Date | null;
  status_code: number | null;
  /** What the receiver answered, or why there was no answer. */
  answer: string | null;
  created_by: string | null;
  created_at: Generated<Date>;
  finished_at: Date | null;
  ticket_id: string | null;
  ticket_key: string | null;
  ticket_url: string | null;
  ticket_status: string | null;
  is_done: Generated<boolean>;
  /** It was deleted there. */
  is_gone: Generated<boolean>;
  /** When the service is asked again how it stands; null: it is not followed. */
  follow_at: Date | null;
  /** How often closing it was refused, and why. */
  close_attempts: Generated<number>;
  problem: string | null;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * The status of a finding with a remediation is moved by that alone; the dashboard asks whether a pull request was ever opened.
     * @readable by findings, posture
     */
    remediations: RemediationsTable;
    remediation_events: RemediationEventsTable;
    ticket_deliveries: TicketDeliveriesTable;
    /**
     * The plan limits them.
     * @readable by billing
     */
    ai_uses: AiUsesTable;
    /**
     * The list and its export show what is proposed.
     * @readable by findings
     */
    finding_assessments: FindingAssessmentsTable;
    assessment_runs: AssessmentRunsTable;
  }
}

import type { FindingType } from '@breakwater/sdk';
import type { Generated } from 'kysely';
import type { PriorityPart } from '../../prioritisation/server/index.ts';
import type { StoredFields } from '../model/finding-fields.ts';
import type { SavedFilterEntry, SavedFilterScope } from '../model/saved-filters.ts';
import type { DueStart } from '../model/sla.ts';
import type { FindingEventKind, FindingStatus, Verdict } from '../model/states.ts';
import type { CodeLocation } from './detail/finding-text.ts';

/** What is wrong, once for all findings of a client that say the same. */
export interface FindingDefinitionsTable extends StoredFields<'finding_definitions'> {
  client_id: string;
  id: Generated<number>;
  digest: string;
}

/** Where it is, once for all findings of a path. */
export interface FindingFilesTable {
  client_id: string;
  id: Generated<number>;
  path: string;
}

type ReportedFinding = Omit<
  StoredFields<'findings'>,
  'type' | 'verdict' | 'effort_for_fixing' | 'exploitability' | 'impact'
>;

/** One result of a report. */
export interface FindingsTable extends ReportedFinding {
  client_id: string;
  id: string;
  repository_id: string;
  scope_id: number;
  definition_id: number;
  file_id: number | null;
  identity: string;
  ordinal: Generated<number>;
  content: Generated<string>;
  tool: string;
  type: FindingType;
  status: Generated<FindingStatus>;
  verdict: Generated<Verdict>;
  /** The verdict was carried to another line by position alone. */
  needs_confirmation: Generated<boolean>;
  is_duplicate: Generated<boolean>;
  is_subfinding: Generated<boolean>;
  readonly is_open: Generated<boolean>;
  readonly cell: Generated<number>;
  /** Null until estimated. */
  effort_for_fixing: number | null;
  exploitability: number | null;
  impact: number | null;
  duplicate_of: string | null;
  /** 1 likely, 2 certain, 3 a person said so; null where it is no duplicate, or was marked before this was kept. */
  duplicate_certainty: Generated<number | null>;
  parent: string | null;
  issue_owner: string | null;
  /** Ids of those the finding was sent to, sorted; null for nobody. */
  developers: string[] | null;
  /** Who wishes that somebody decides on it; null for no wish. */
  review_requested_by_id: string | null;
  /** What the report says while a person's severity stands; else null. */
  reported_severity: number | null;
  reported_severity_numerical: number | null;
  first_scan_id: string;
  date: Date;
  first_seen: Date;
  last_seen: Date | null;
  closed_at: Date | null;
  verdict_expires_at: Date | null;
}

/** Where a finding stands: what moves with every edit of its file. No row: its report names no line. */
export interface FindingLocationsTable extends StoredFields<'finding_locations'> {
  client_id: string;
  finding_id: string;
}

type ReportedDetails = Omit<StoredFields<'finding_details'>, 'locations' | 'code_flows' | 'policy' | 'priority_parts'>;

/** Long text of a finding, apart from the hot row. */
export interface FindingDetailsTable extends ReportedDetails {
  client_id: string;
  finding_id: string;
  locations: CodeLocation[] | null;
  code_flows: CodeLocation[][] | null;
  policy: { name?: string; category?: string; control?: string } | null;
  priority_parts: Generated<PriorityPart[]>;
  notes: string | null;
  /** What the wish for a review proposes. */
  proposed_verdict: Verdict | null;
  proposed_reason: string | null;
}

/** What happened to a finding after its first import. */
export interface FindingEventsTable {
  client_id: string;
  finding_id: string;
  id: Generated<string>;
  kind: FindingEventKind;
  at: Generated<Date>;
  actor: string | null;
  scan_id: string | null;
  from_value: string | null;
  to_value: string | null;
  reason: string | null;
  /** The same for all events of one change by a person; null for what nobody can take back. */
  change_id: string | null;
  /** What taking it back restores besides `from_value`. */
  before: Record<string, unknown> | null;
}

/** Rollup, kept by triggers: what and where a group of findings is. */
export interface AggregateSourcesTable {
  client_id: string;
  source: number;
  repository_id: string;
  tool: string;
  type: FindingType;
  category: string;
  language: string;
  severity: number;
  kev: boolean;
  has_cvss: boolean;
  has_epss: boolean;
  priority_low: number;
  priority_high: number;
}

/** Rollup, kept by triggers: what was decided about a group of findings. */
export interface AggregateDispositionsTable {
  client_id: string;
  disposition: number;
  status: FindingStatus;
  verdict: Verdict;
  is_duplicate: boolean;
  is_subfinding: boolean;
  issue_owner: string | null;
  developers: string[] | null;
  review_requested_by_id: string | null;
  is_open: boolean;
}

/** Rollup, kept by triggers: findings of a source in a disposition. */
export interface AggregateCellsTable {
  client_id: string;
  cell: number;
  source: number;
  disposition: number;
  count: number;
}

export interface AggregateDefinitionsTable {
  client_id: string;
  definition_id: number;
  cell: number;
  count: number;
}

export interface AggregateDefinitionDispositionsTable {
  client_id: string;
  definition_id: number;
  disposition: number;
  count: number;
}

export interface AggregateFilesTable {
  client_id: string;
  file_id: number;
  disposition: number;
  count: number;
}

export interface AggregateExtensionsTable {
  client_id: string;
  extension: string;
  cell: number;
  count: number;
}

export interface AggregateBucketsTable {
  client_id: string;
  field: 'priority' | 'date' | 'cvss' | 'epss' | 'id' | 'id_cvss' | 'id_epss' | 'id_both';
  /** What it stands for is in counts/order-buckets.ts. */
  bucket: number;
  disposition: number;
  count: number;
}

export interface AggregateDatesTable {
  client_id: string;
  cell: number;
  /** UTC, also in the tables below. */
  day: string;
  count: number;
}

export interface AggregateChangesTable {
  client_id: string;
  day: string;
  source: number;
  disposition: number;
  delta: number;
}

export interface AggregateDaysTable {
  client_id: string;
  field: 'found' | 'changed';
  day: string;
  severity: number;
  type: FindingType;
  disposition: number;
  count: number;
}

/** How one person sees the list. */
export interface FindingViewSettingsTable {
  client_id: string;
  user_id: string;
  columns: string[] | null;
  widths: Generated<Record<string, number>>;
  use_saved_filter: Generated<boolean>;
}

/** Filters under a name, of one person, who may share them with the organisation. */
export interface SavedFindingFiltersTable {
  client_id: string;
  user_id: string;
  id: Generated<string>;
  scope: SavedFilterScope;
  name: string;
  is_shared: Generated<boolean>;
  filters: SavedFilterEntry[];
}

/** What one person made of a saved filter that they see. */
export interface SavedFilterMarksTable {
  client_id: string;
  user_id: string;
  filter_id: string;
  scope: SavedFilterScope;
  is_active: Generated<boolean>;
  is_starred: Generated<boolean>;
}

/** Days that an organisation allows; null: no limit. */
export interface SlaDaysTable extends Record<'critical' | 'high' | 'medium' | 'low' | 'informational', number | null> {
  client_id: string;
  /** From which day they count. */
  starts: Generated<DueStart>;
  updated_by: string | null;
  updated_at: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    sla_days: SlaDaysTable;
    finding_view_settings: FindingViewSettingsTable;
    saved_finding_filters: SavedFindingFiltersTable;
    saved_filter_marks: SavedFilterMarksTable;
    /**
     * Imports and priorities are merged as sets, without a round trip per finding.
     * @readable by frameworks, posture, reachability, sbom
     * @writable by ingest, prioritisation
     */
    finding_definitions: FindingDefinitionsTable;
    /**
     * Imports and priorities are merged as sets, without a round trip per finding.
     * @readable by prioritisation
     * @writable by ingest
     */
    finding_files: FindingFilesTable;
    /**
     * Imports and priorities are merged as sets, without a round trip per finding.
     * @readable by posture, sbom
     * @writable by ingest, prioritisation
     */
    findings: FindingsTable;
    /**
     * Imports and priorities are merged as sets, without a round trip per finding.
     * @readable by sbom
     * @writable by ingest, prioritisation
     */
    finding_details: FindingDetailsTable;
    /**
     * Imports are merged as sets, without a round trip per finding.
     * @writable by ingest
     */
    finding_locations: FindingLocationsTable;
    /**
     * Imports and priorities are merged as sets, without a round trip per finding.
     * @readable by posture
     * @writable by ingest, prioritisation
     */
    finding_events: FindingEventsTable;
    /** @readable by ingest, posture, prioritisation, reachability, repositories, sbom */
    aggregate_sources: AggregateSourcesTable;
    /** @readable by posture, prioritisation, repositories, sbom */
    aggregate_dispositions: AggregateDispositionsTable;
    /** @readable by clients, prioritisation, reachability, repositories, sbom */
    aggregate_cells: AggregateCellsTable;
    /** @readable by frameworks, posture, reachability, sbom */
    aggregate_definitions: AggregateDefinitionsTable;
    aggregate_definition_dispositions: AggregateDefinitionDispositionsTable;
    aggregate_files: AggregateFilesTable;
    aggregate_extensions: AggregateExtensionsTable;
    aggregate_buckets: AggregateBucketsTable;
    aggregate_dates: AggregateDatesTable;
    /** @readable by posture */
    aggregate_changes: AggregateChangesTable;
    /** @readable by posture */
    aggregate_days: AggregateDaysTable;
  }
}

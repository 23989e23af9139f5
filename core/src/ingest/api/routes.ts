import { TableMapping } from '@breakwater/sdk';
import { Type } from 'typebox';
import { CommitStatusOfScan } from '../../platform/api/commit-status.ts';
import { route } from '../../platform/api/contract.ts';
import {
  Action,
  Done,
  Id,
  Item,
  List,
  Nullable,
  One,
  OneOf,
  pageQuery,
  Timestamp,
} from '../../platform/api/envelope.ts';

/**
 * Life of a scan. Source: decisions.md "States". `incomplete`: the report says that its scan failed or left something out, so that nothing
 * was closed. `outdated`: a newer report of the same scope was imported before, so that nothing was changed.
 */
export const SCAN_STATUSES = [
  ...(['queued', 'running', 'parsing', 'merging'] as const),
  ...(['done', 'incomplete', 'outdated', 'failed', 'cancelled'] as const),
] as const;

/** What became of the records of one report. */
export const ScanCounts = Type.Object({
  total: Type.Integer(),
  new: Type.Integer(),
  unchanged: Type.Integer(),
  reopened: Type.Integer(),
  closed: Type.Integer(),
  /** Findings and components that are missing from the report and were not closed, until somebody decides. */
  held: Type.Integer(),
  held_components: Type.Integer(),
  duplicate: Type.Integer(),
  suppressed: Type.Integer(),
  unreadable: Type.Integer(),
  components: Type.Integer(),
});

export const Unreadable = Type.Object({ where: Type.String(), why: Type.String() });

const UNDO_REFUSALS = ['not_done', 'newer', 'report_deleted'] as const;
export type UndoRefusal = (typeof UNDO_REFUSALS)[number];

export const ScanAttributes = Type.Object({
  repository_id: Id,
  /** Catalogue id or tool name as asked for; `auto` until recognised. */
  tool: Type.String(),
  file_name: Nullable(Type.String()),
  /** Branch as the sender named it; null where the report is of the default branch. */
  branch: Nullable(Type.String()),
  /** Hash of the scanned commit, as the sender named it. */
  commit: Nullable(Type.String()),
  commit_status: Nullable(CommitStatusOfScan),
  /** What of its target the report is about, as the sender or the report says; null where neither does. */
  part: Nullable(Type.String()),
  /** The report's own time. */
  report_date: Nullable(Timestamp),
  status: OneOf(SCAN_STATUSES),
  /** 0-100. */
  percentage: Type.Integer(),
  counts: ScanCounts,
  unreadable: Type.Array(Unreadable),
  /** Why the scan is incomplete, in the words of the report. */
  incomplete: Type.Array(Type.String()),
  /** Nothing was closed because the report does not say its part and most of the scope would have closed. `POST /scans/{id}/closing` decides. */
  is_held_back: Type.Boolean(),
  /** The scan whose held back closing this one decided on, and how. */
  settles: Nullable(Id),
  settlement: Nullable(OneOf(['confirm', 'split'])),
  /** The scan that this one takes back. */
  undoes: Nullable(Id),
  /** Why this import cannot be taken back: it did not import, something newer stands on it, or the report before is deleted. Null: it can. */
  undo_refusal: Nullable(OneOf(UNDO_REFUSALS)),
  /** Connector that pulled the findings; null for an upload. */
  connector: Nullable(Type.String()),
  /** Error code and text when `failed`. */
  code: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  /** Person or API token that uploaded it; null where the server or nobody known did. */
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  finished_at: Nullable(Timestamp),
});

/** With `?wait`: the finished import; without: only the id. */
export const UploadResult = Type.Object({
  scan_id: Id,
  status: Type.Optional(OneOf(SCAN_STATUSES)),
  tool: Type.Optional(Type.String()),
  counts: Type.Optional(ScanCounts),
  unreadable: Type.Optional(Type.Array(Unreadable)),
  incomplete: Type.Optional(Type.Array(Type.String())),
  is_held_back: Type.Optional(Type.Boolean()),
});

const PART =
  'What the report is about, where the application is scanned in parts: a folder, a language, an account. It closes only findings of its part.';
const ACCEPT_OLDER =
  'Import the report although a newer one of the same scope was imported: the findings are then as this one says.';
const MAPPING =
  'How the columns of a table of no known tool are read, as `POST /upload_preview` proposes it; or the name of a mapping that the organisation keeps.';
const COMMIT = 'Hash of the commit that was scanned, 7 to 64 hexadecimal digits.';
const BRANCH = 'Branch that was scanned; the default branch of the repository where nothing is named.';

/** The JSON form of the body; multipart (`file`, `tool?`, `ext?`, `branch?`, `commit?`, `part?`, `accept_older?`, `mapping?`) is accepted too. */
export const UploadBody = Type.Object(
  {
    tool: Type.Optional(Type.String({ maxLength: 100 })),
    ext: Type.Optional(Type.String({ maxLength: 20 })),
    branch: Type.Optional(Type.String({ maxLength: 300, description: BRANCH })),
    part: Type.Optional(Type.String({ maxLength: 200, description: PART })),
    commit: Type.Optional(Type.String({ pattern: '^[0-9A-Fa-f]{7,64}$', description: COMMIT })),
    accept_older: Type.Optional(Type.Boolean({ description: ACCEPT_OLDER })),
    mapping: Type.Optional(Type.Union([TableMapping, Type.String({ maxLength: 100 })], { description: MAPPING })),
    file: Type.String({ description: 'base64' }),
  },
  { additionalProperties: false },
);

export const uploadScan = route({
  method: 'POST',
  path: '/upload_scan/{id}',
  tag: 'ingest',
  summary: 'Upload a report of a scanner for a repository',
  access: { permission: 'scans.upload', tenant: false, apiToken: ['upload'] },
  params: Type.Object({ id: Id }),
  query: Type.Object(
    {
      wait: Type.Optional(Type.Integer({ minimum: 0, maximum: 300, description: 'seconds' })),
      branch: Type.Optional(
        Type.String({ maxLength: 300, description: `${BRANCH} The body's counts, if both name one.` }),
      ),
    },
    { additionalProperties: false },
  ),
  body: UploadBody,
  bodyKind: 'stream',
  response: Action(UploadResult),
  status: 202,
  errors: [
    'repository_not_found',
    'payload_too_large',
    'report_malformed',
    'report_wrong_tool',
    'report_unrecognised',
    'report_unmapped',
    'report_too_complex',
    'report_empty',
    'unknown_tool',
    'tool_excluded',
  ],
});

export const listScans = route({
  method: 'GET',
  path: '/scans',
  tag: 'ingest',
  summary: 'Scans and uploads, newest first',
  access: { permission: 'scans.read', tenant: true, apiToken: ['upload', 'scan', 'read'] },
  query: Type.Object(
    {
      ...pageQuery,
      filters: Type.Optional(
        Type.Object(
          { repository: Type.Optional(Type.Array(Id)), status: Type.Optional(Type.Array(OneOf(SCAN_STATUSES))) },
          { additionalProperties: false },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  response: List(ScanAttributes),
});

export const getScan = route({
  method: 'GET',
  path: '/scans/{id}',
  tag: 'ingest',
  summary: 'One scan with its counts',
  access: { permission: 'scans.read', tenant: true, apiToken: ['upload', 'scan', 'read'] },
  params: Type.Object({ id: Id }),
  response: One(ScanAttributes),
  errors: ['scan_not_found'],
});

export const downloadReport = route({
  method: 'GET',
  path: '/scans/{id}/report',
  tag: 'ingest',
  summary: 'The report of a scan as it was uploaded',
  // reports of secret scanners hold the secrets themselves
  access: { permission: 'scans.manage', tenant: false },
  audit: 'data.exported',
  params: Type.Object({ id: Id }),
  response: Type.String(),
  responseKind: 'file',
  errors: ['scan_not_found'],
});

export const undoScan = route({
  method: 'POST',
  path: '/scans/{id}/undo',
  tag: 'ingest',
  summary: 'Take an import back: the findings are what the report before said',
  access: { permission: 'scans.manage', tenant: true },
  audit: 'data.removed',
  params: Type.Object({ id: Id }),
  response: Action(Type.Object({ scan_id: Id })),
  status: 202,
  errors: ['scan_not_found', 'conflict'],
});

export const settleClosing = route({
  method: 'POST',
  path: '/scans/{id}/closing',
  tag: 'ingest',
  summary: 'Decide on a closing that was held back: the report is about all of its scope, or about a part of its own',
  access: { permission: 'scans.manage', tenant: true },
  params: Type.Object({ id: Id }),
  body: Type.Object(
    {
      decision: OneOf(['confirm', 'split']),
      part: Type.Optional(
        Type.String({ maxLength: 200, description: 'Name of the part that is split off; the file name without one.' }),
      ),
    },
    { additionalProperties: false },
  ),
  response: Action(Type.Object({ scan_id: Id })),
  status: 202,
  errors: ['scan_not_found', 'conflict'],
});

export const listTools = route({
  method: 'GET',
  path: '/upload_tools',
  tag: 'ingest',
  summary: 'Tool names that an upload may name',
  access: { permission: 'scans.upload', tenant: true },
  response: Type.Object({
    data: Type.Array(
      Item(
        Type.Object({
          title: Type.String(),
          formats: Type.Array(Type.String()),
          /** Schema and templates, at `/upload_tools/{tool}/files/{name}`. */
          files: Type.Array(Type.Object({ name: Type.String(), title: Type.String() })),
        }),
      ),
    ),
  }),
});

export const loadSample = route({
  method: 'POST',
  path: '/sample_data',
  tag: 'ingest',
  summary: 'Add the marked sample application (OWASP Juice Shop)',
  access: { permission: 'repositories.write', tenant: false },
  response: Action(Type.Object({ repository_id: Id, scan_ids: Type.Array(Id) })),
  status: 202,
});

export const removeSample = route({
  method: 'DELETE',
  path: '/sample_data',
  tag: 'ingest',
  summary: 'Remove the sample application with everything in it',
  access: { permission: 'repositories.write', tenant: true },
  response: Done,
});

/** One server-sent event. `type` is the event name, such as `scan.progress` or `findings.imported`. */
export const streamEvents = route({
  method: 'GET',
  path: '/events',
  tag: 'ingest',
  summary: 'Live events of the organisation (server-sent events)',
  access: { permission: 'account.use', tenant: false },
  response: Type.String(),
  responseKind: 'events',
});

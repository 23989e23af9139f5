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
import { SCAN_REQUEST_STATUSES, SCAN_TRIGGERS, TOOL_RUN_STATUSES } from '../model/scan-requests.ts';

const strict = { additionalProperties: false } as const;

const ToolRunSchema = Type.Object({
  tool: Type.String(),
  title: Type.String(),
  version: Nullable(Type.String()),
  status: OneOf(TOOL_RUN_STATUSES),
  detail: Nullable(Type.String()),
  /** The import of its report, `GET /scans/{id}`. */
  scan_id: Nullable(Id),
});

export const ScanRequestAttributes = Type.Object({
  scan_type: Type.String(),
  /** Null for a scan of the clouds. */
  repository_id: Nullable(Id),
  status: OneOf(SCAN_REQUEST_STATUSES),
  percentage: Type.Integer({ minimum: 0, maximum: 100 }),
  trigger: OneOf(SCAN_TRIGGERS),
  /** Null: the default branch of the repository. */
  branch: Nullable(Type.String()),
  /** Hash of what was scanned. */
  commit: Nullable(Type.String()),
  commit_status: Nullable(CommitStatusOfScan),
  tools: Type.Array(ToolRunSchema),
  code: Nullable(Type.String()),
  /** Why it failed, for people. */
  detail: Nullable(Type.String()),
  created_by: Nullable(Type.String()),
  created_at: Timestamp,
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
});

export const requestRepoScan = route({
  method: 'POST',
  path: '/request_repo_scan',
  tag: 'scanning',
  summary: 'Scan repositories, or the clouds, with the scanners of the server',
  access: { permission: 'scans.upload', tenant: true, apiToken: ['scan'] },
  body: Type.Object(
    {
      scan_type: Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          '`all`, `cloud`, `posture` (settings at the provider), the category of a connector such as `sast`, or a scanner such as `bandit`',
      }),
      repositories: Type.Optional(
        Type.Array(Id, { minItems: 1, maxItems: 500, description: 'Left out: every repository that can be cloned.' }),
      ),
      branch: Type.Optional(
        Type.String({ minLength: 1, maxLength: 255, description: 'Left out: the default branch of each.' }),
      ),
    },
    strict,
  ),
  response: Action(Type.Object({ scan_requests: Type.Array(Id) })),
  status: 202,
  errors: ['repository_not_found'],
});

export const listScanRequestsRoute = route({
  method: 'GET',
  path: '/scan_requests',
  tag: 'scanning',
  summary: 'Scans that the server started, newest first, with their progress',
  access: { permission: 'scans.read', tenant: true, apiToken: ['scan', 'read'] },
  query: Type.Object(
    {
      ...pageQuery,
      filters: Type.Optional(
        Type.Object(
          {
            repository: Type.Optional(Type.Array(Id)),
            status: Type.Optional(Type.Array(OneOf(SCAN_REQUEST_STATUSES))),
          },
          strict,
        ),
      ),
    },
    strict,
  ),
  response: List(ScanRequestAttributes),
});

export const getScanRequest = route({
  method: 'GET',
  path: '/scan_requests/{id}',
  tag: 'scanning',
  summary: 'One scan that the server started',
  access: { permission: 'scans.read', tenant: true, apiToken: ['scan', 'read'] },
  params: Type.Object({ id: Id }),
  response: One(ScanRequestAttributes),
  errors: ['scan_not_found'],
});

export const cancelScanRequest = route({
  method: 'POST',
  path: '/scan_requests/{id}/cancel',
  tag: 'scanning',
  summary: 'Cancel a scan: its programs are ended, and what they have not reported yet is not imported',
  access: { permission: 'scans.upload', tenant: true, apiToken: ['scan'] },
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['scan_not_found', 'conflict'],
});

export const ScannerAttributes = Type.Object({
  title: Type.String(),
  category: Type.String(),
  targets: Type.Array(Type.String()),
  is_installed: Type.Boolean(),
  version: Nullable(Type.String()),
  /** The organisation excludes it. */
  is_excluded: Type.Boolean(),
  /** How the operator gets it. */
  documentation: Nullable(Type.String()),
  /** Hosts that it calls while it scans; null where it may call any. */
  hosts: Nullable(Type.Array(Type.String())),
});

export const listScanners = route({
  method: 'GET',
  path: '/scanners',
  tag: 'scanning',
  summary: 'Scanners that the server can start, and which of them it has',
  access: { permission: 'scans.read', tenant: false },
  response: Type.Object({
    data: Type.Array(Item(ScannerAttributes)),
    /** Whether scanners that call no host are started without a network: not every machine can do that. */
    meta: Type.Object({
      isolates_network: Type.Boolean(),
      /** Whether scanners that name their hosts reach those alone. */
      limits_hosts: Type.Boolean(),
    }),
  }),
});

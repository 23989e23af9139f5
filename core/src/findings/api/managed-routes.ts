import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, Item, One } from '../../platform/api/envelope.ts';
import type { ExportFormat } from './exports-routes.ts';
import { GroupList, GroupListQuery } from './group-routes.ts';
import { FindingDetail, FindingEvent, FindingExportQuery, FindingList, FindingListQuery } from './routes.ts';

/** Every look is written down for the client (`audit_entries`). Source: decisions.md "Roles". */
const access = { permission: 'clients.manage', tenant: false } as const;

/** Findings inside a client, for superadmins: query and answer of `GET /findings`. Source: specification §7. */
export const listManagedFindings = route({
  method: 'GET',
  path: '/manage-clients/findings/{client}',
  tag: 'findings',
  summary: 'Findings of a client, filtered and sorted as its own list',
  access,
  params: Type.Object({ client: Id }),
  query: FindingListQuery,
  response: FindingList,
  errors: ['client_not_found'],
});

export const listManagedGroups = route({
  method: 'GET',
  path: '/manage-clients/findings/{client}/groups',
  tag: 'findings',
  summary: 'Findings of a client put together by vulnerability, component, file or rule',
  access,
  params: Type.Object({ client: Id }),
  query: GroupListQuery,
  response: GroupList,
  errors: ['client_not_found'],
});

export const getManagedFinding = route({
  method: 'GET',
  path: '/manage-clients/findings/{client}/{id}',
  tag: 'findings',
  summary: 'One finding of a client with its code, score and signals',
  access,
  params: Type.Object({ client: Id, id: Id }),
  response: One(FindingDetail),
  errors: ['client_not_found', 'finding_not_found'],
});

export const getManagedFindingHistory = route({
  method: 'GET',
  path: '/manage-clients/findings/{client}/{id}/history',
  tag: 'findings',
  summary: 'What happened to a finding of a client, newest first',
  access,
  params: Type.Object({ client: Id, id: Id }),
  response: Type.Object({ data: Type.Array(Item(FindingEvent)) }),
  errors: ['client_not_found', 'finding_not_found'],
});

const managedExport = (format: ExportFormat, summary: string) =>
  route({
    method: 'POST',
    path: `/manage-clients/findings/{client}/download_${format}`,
    tag: 'findings',
    summary,
    access,
    audit: 'data.exported',
    params: Type.Object({ client: Id }),
    query: FindingExportQuery,
    response: Type.String(),
    responseKind: 'file',
    errors: ['client_not_found'],
  });

/** Downloads of the list inside a client, in the formats of its own people. Without `fields`: the columns that a list begins with. */
export const MANAGED_EXPORTS = {
  csv: managedExport('csv', 'The findings of the list inside a client as a CSV file'),
  json: managedExport('json', 'The findings of the list inside a client as a JSON file'),
  sarif: managedExport('sarif', 'The findings of the list inside a client as SARIF 2.1.0'),
  html: managedExport('html', 'The findings of the list inside a client as a report to print'),
} as const satisfies Record<ExportFormat, unknown>;

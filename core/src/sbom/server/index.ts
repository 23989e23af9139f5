import { SEVERITIES } from '@breakwater/sdk';
import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { ownedOnly } from '../../platform/server/owned-only.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { type ComponentRow, getComponent, listComponents as listComponentsRoute } from '../api/routes.ts';
import { listComponentFindings } from './queries/list-component-findings.ts';
import { type ComponentRowResult, countComponents, listComponents } from './queries/list-components.ts';
import { listNeighbours } from './queries/list-neighbours.ts';
import './tables.ts';

const severityWord = (severity: number): (typeof SEVERITIES)[number] => SEVERITIES[4 - severity] ?? 'informational';

const attributesOf = (row: ComponentRowResult): Static<typeof ComponentRow> => ({
  name: row.name,
  version: row.version,
  group: row.group_name,
  purl: row.purl,
  ecosystem: row.ecosystem,
  type: row.type,
  licenses: row.licenses,
  direct: row.direct,
  repository_id: row.repository_id,
  repository: row.repository,
  findings: row.findings,
  worst_severity: row.worst === null ? null : severityWord(row.worst),
  last_seen: row.last_seen.toISOString(),
});

/** Components of the inventories. */
export const createSbomEndpoints = (): Endpoint[] => [
  tenantEndpoint(listComponentsRoute)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const { repository, ecosystem, license, vulnerable } = query.filters ?? {};
    const filter = {
      clientId: caller.clientId,
      onlyOwnedBy: ownedOnly(caller),
      ...(query.search === undefined ? {} : { search: query.search }),
      ...(repository === undefined ? {} : { repositories: repository }),
      ...(ecosystem === undefined ? {} : { ecosystems: ecosystem }),
      ...(license === undefined ? {} : { licenses: license }),
      ...(vulnerable === undefined ? {} : { vulnerable }),
    };
    const rows = await listComponents(db, filter, {
      sortField: query.sort_field ?? 'name',
      sort: query.sort ?? 'asc',
      offset: paging.offset,
      pageSize: paging.pageSize,
    });
    const total = await countComponents(db, filter);
    return { data: rows.map((row) => ({ _id: row.id, attributes: attributesOf(row) })), meta: pageMeta(total, paging) };
  }),
  tenantEndpoint(getComponent)(async ({ db, caller, params }) => {
    const { clientId } = caller;
    const filter = { clientId, onlyOwnedBy: ownedOnly(caller), id: params.id };
    const [row] = await listComponents(db, filter, { sortField: 'name', sort: 'asc', offset: 0, pageSize: 1 });
    if (row === undefined) throw new AppError('component_not_found');
    const findings = await listComponentFindings(db, { clientId, id: params.id });
    const attributes = {
      ...attributesOf(row),
      description: row.description,
      first_seen: row.first_seen.toISOString(),
      depends_on: await listNeighbours(db, { clientId, id: params.id, direction: 'needs' }),
      used_by: await listNeighbours(db, { clientId, id: params.id, direction: 'needed_by' }),
      component_findings: findings.map((finding) => ({ ...finding, severity: severityWord(finding.severity) })),
    };
    return { data: { _id: row.id, attributes } };
  }),
];

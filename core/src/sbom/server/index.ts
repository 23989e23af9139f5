import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { type Caller, type Endpoint, ownedOnly, tenantEndpoint } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { readUseOfComponent } from '../../reachability/server/index.ts';
import {
  type ComponentFacets,
  type ComponentQuery,
  type ComponentRow,
  getComponent,
  listComponents as listComponentsRoute,
  readComponentFacets,
} from '../api/routes.ts';
import { LICENSE_CLASSES } from '../model/license-classes.ts';
import { newestKnown } from '../model/newest-known.ts';
import { upgradePath } from '../model/upgrade-path.ts';
import { changesEndpoint } from './changes-endpoint.ts';
import type { ComponentFilter } from './component-scope.ts';
import { exportEndpoints } from './export/export-endpoints.ts';
import { checkLicensesOf } from './licenses/license-jobs.ts';
import { createLicensePolicyEndpoints } from './licenses/policy-endpoints.ts';
import { listComponentFindings, listNeighbours, listUses, readPaths } from './queries/component-detail.ts';
import { countApplications, countFacet } from './queries/inventories.ts';
import { type ComponentRowResult, countComponents, listComponents } from './queries/list-components.ts';
import { severityWord } from './severity-word.ts';
import './tables.ts';

export type { LicenseClass } from '../model/license-classes.ts';
export { licenseRules } from './license-table.ts';
export { checkLicensesOf, type LicenseJobDeps } from './licenses/license-jobs.ts';
export { ASK_FOR_LICENSE_CHECK } from './licenses/policy-store.ts';
export { removeRepository } from './remove-repository.ts';

const attributesOf = (row: ComponentRowResult): Static<typeof ComponentRow> => ({
  name: row.name,
  version: row.version,
  group: row.group_name,
  purl: row.purl,
  ecosystem: row.ecosystem,
  type: row.type,
  licenses: row.licenses,
  license_class: row.license_class,
  direct: row.direct,
  repository_id: row.repository_id,
  repository: row.repository,
  findings: row.findings,
  worst_severity: row.worst === null ? null : severityWord(row.worst),
  other_findings: row.other_findings,
  last_seen: row.last_seen.toISOString(),
});

const filterOf = (caller: Caller, { search, filters = {} }: ComponentQuery): ComponentFilter => {
  const { repository, repository_tag, ecosystem, license, license_class, vulnerable } = filters;
  return {
    clientId: caller.clientId,
    onlyOwnedBy: ownedOnly(caller),
    ...(search === undefined ? {} : { search }),
    ...(repository === undefined ? {} : { repositories: repository }),
    ...(repository_tag === undefined ? {} : { repositoryTags: repository_tag }),
    ...(ecosystem === undefined ? {} : { ecosystems: ecosystem }),
    ...(license === undefined ? {} : { licenses: license }),
    ...(license_class === undefined ? {} : { licenseClasses: license_class }),
    ...(vulnerable === undefined ? {} : { vulnerable }),
  };
};

/** Each facet without its own filter, so that further values can be added to it. */
const readFacets = async (db: Db, filter: ComponentFilter): Promise<ComponentFacets> => {
  const { licenseClasses: _, ...anyClass } = filter;
  const { licenses: __, ...anyLicense } = filter;
  const { ecosystems: ___, ...anyEcosystem } = filter;
  const { repositories: ____, ...anyApplication } = filter;
  const classes = await countFacet(db, 'license_class', anyClass);
  return {
    license_class: LICENSE_CLASSES.map((value) => ({
      value,
      count: classes.find((row) => row.value === value)?.count ?? 0,
    })),
    repository: await countApplications(db, anyApplication),
    license: await countFacet(db, 'license', anyLicense),
    ecosystem: await countFacet(db, 'ecosystem', anyEcosystem),
  };
};

export interface SbomDependencies {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
}

/** Components of the inventories, and their exports. */
export const createSbomEndpoints = ({ database, jobs }: SbomDependencies): Endpoint[] => [
  ...exportEndpoints(database),
  ...createLicensePolicyEndpoints(jobs),
  changesEndpoint(),
  tenantEndpoint(listComponentsRoute)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const filter = filterOf(caller, query);
    const rows = await listComponents(db, filter, {
      sortField: query.sort_field ?? 'name',
      sort: query.sort ?? 'asc',
      offset: paging.offset,
      pageSize: paging.pageSize,
    });
    const total = await countComponents(db, filter);
    return { data: rows.map((row) => ({ _id: row.id, attributes: attributesOf(row) })), meta: pageMeta(total, paging) };
  }),
  tenantEndpoint(readComponentFacets)(async ({ db, caller, query }) => ({
    data: await readFacets(db, filterOf(caller, query)),
  })),
  tenantEndpoint(getComponent)(async ({ db, caller, params }) => {
    const { clientId } = caller;
    const filter = { clientId, onlyOwnedBy: ownedOnly(caller), id: params.id };
    const [row] = await listComponents(db, filter, { sortField: 'name', sort: 'asc', offset: 0, pageSize: 1 });
    if (row === undefined) throw new AppError('component_not_found');
    const findings = await listComponentFindings(db, { clientId, id: params.id });
    const fullName = (row.group_name ?? '') === '' ? row.name : `${row.group_name}/${row.name}`;
    const usedIn = await listUses(db, { clientId, id: params.id, onlyOwnedBy: ownedOnly(caller) });
    const use = await readUseOfComponent(
      db,
      { clientId, repositoryId: row.repository_id },
      { name: fullName, ecosystem: row.ecosystem, purl: row.purl },
    );
    const attributes = {
      ...attributesOf(row),
      description: row.description,
      first_seen: row.first_seen.toISOString(),
      depends_on: await listNeighbours(db, { clientId, id: params.id, direction: 'needs' }),
      used_by: await listNeighbours(db, { clientId, id: params.id, direction: 'needed_by' }),
      dependency_paths: await readPaths(db, { ...row, clientId, name: fullName }),
      used_in: usedIn,
      upgrade: upgradePath(row, findings),
      package_use: use?.use ?? null,
      package_imported_by: use?.by === undefined ? null : { path: use.by.path, line: use.by.line, files: use.by.files },
      newest_known:
        newestKnown(row, [
          ...usedIn.map(({ version, repository }) => ({ version, repository })),
          ...findings.map(({ fixed_version }) => ({ version: fixed_version, repository: null })),
        ]) ?? null,
      component_findings: findings.map((finding) => ({ ...finding, severity: severityWord(finding.severity) })),
    };
    return { data: { _id: row.id, attributes } };
  }),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const sbomJobs = [checkLicensesOf] as const;

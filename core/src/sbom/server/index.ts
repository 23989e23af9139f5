import { readsOf } from '../../platform/server/client-access.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { type Caller, type Endpoint, ownedOnly, tenantEndpoint } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import {
  type ComponentFacets,
  type ComponentQuery,
  listComponents as listComponentsRoute,
  readComponentFacets,
} from '../api/routes.ts';
import { LICENSE_CLASSES } from '../model/license-classes.ts';
import { changesEndpoint } from './changes-endpoint.ts';
import { attributesOf, componentEndpoint } from './component-endpoint.ts';
import type { ComponentFilter } from './component-scope.ts';
import { exportEndpoints } from './export/export-endpoints.ts';
import { checkLicensesOf } from './licenses/license-jobs.ts';
import { createLicensePolicyEndpoints } from './licenses/policy-endpoints.ts';
import { countApplications, countFacet } from './queries/inventories.ts';
import { countComponents, listComponents } from './queries/list-components.ts';
import type { PackageService } from './versions/deps-dev.ts';
import { createVersionLookupEndpoints } from './versions/lookup-endpoints.ts';
import { lookUpVersionsOf } from './versions/lookup-job.ts';
import { readLookupSettings } from './versions/lookup-settings.ts';
import './tables.ts';

export type { LicenseClass } from '../model/license-classes.ts';
export { licenseRules } from './license-table.ts';
export { checkLicensesOf, type LicenseJobDeps } from './licenses/license-jobs.ts';
export { ASK_FOR_LICENSE_CHECK } from './licenses/policy-store.ts';
export { removeRepository } from './remove-repository.ts';
export { createPackageService, DEPS_DEV_ADDRESS, type PackageService } from './versions/deps-dev.ts';
export { lookUpVersionsOf, type VersionLookupDeps } from './versions/lookup-job.ts';
export { ASK_FOR_VERSION_LOOKUP } from './versions/lookup-settings.ts';

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
  packages: Pick<PackageService, 'host'>;
}

/** Components of the inventories, and their exports. */
export const createSbomEndpoints = ({ database, jobs, packages }: SbomDependencies): Endpoint[] => [
  ...exportEndpoints(readsOf(database)),
  ...createLicensePolicyEndpoints(jobs),
  ...createVersionLookupEndpoints({ jobs, service: packages.host }),
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
    const { isEnabled } = await readLookupSettings(db, caller.clientId);
    return {
      data: rows.map((row) => ({ _id: row.id, attributes: attributesOf(row, isEnabled) })),
      meta: pageMeta(total, paging),
    };
  }),
  tenantEndpoint(readComponentFacets)(async ({ db, caller, query }) => ({
    data: await readFacets(db, filterOf(caller, query)),
  })),
  componentEndpoint(packages.host),
];

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const sbomJobs = [checkLicensesOf, lookUpVersionsOf] as const;

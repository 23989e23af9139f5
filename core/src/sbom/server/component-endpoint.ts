import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { type Endpoint, ownedOnly, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { readUseOfComponent } from '../../reachability/server/index.ts';
import { type ComponentRow, getComponent } from '../api/routes.ts';
import { newestKnown } from '../model/newest-known.ts';
import { upgradePath } from '../model/upgrade-path.ts';
import { listComponentFindings, listNeighbours, listUses, readPaths } from './queries/component-detail.ts';
import { type ComponentRowResult, listComponents } from './queries/list-components.ts';
import { severityWord } from './severity-word.ts';
import { readLookupSettings } from './versions/lookup-settings.ts';
import { readLookupState } from './versions/lookup-state.ts';

/** What the API says of a row. `isLookupOn`: what was looked up is shown. */
export const attributesOf = (row: ComponentRowResult, isLookupOn: boolean): Static<typeof ComponentRow> => ({
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
  published: isLookupOn
    ? {
        released_on: row.released_on,
        newest_version: row.newest_version,
        newest_released_on: row.newest_released_on,
      }
    : null,
});

/** One component. `service`: host of the one that knows packages. */
export const componentEndpoint = (service: string): Endpoint =>
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
    const settings = await readLookupSettings(db, clientId);
    const lookup = await readLookupState(db, { clientId, component: row, settings });
    const attributes = {
      ...attributesOf(row, settings.isEnabled),
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
      version_lookup: {
        state: lookup.state,
        answered_at: lookup.answeredAt?.toISOString() ?? null,
        service,
      },
      component_findings: findings.map((finding) => ({ ...finding, severity: severityWord(finding.severity) })),
    };
    return { data: { _id: row.id, attributes } };
  });

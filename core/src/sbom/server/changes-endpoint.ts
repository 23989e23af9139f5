import { AppError } from '../../platform/model/app-error.ts';
import { type Endpoint, ownedOnly, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { readInventoryChanges } from '../api/changes-routes.ts';
import { CHANGE_KINDS, packageChanges } from '../model/inventory-changes.ts';
import { findApplication } from './queries/inventories.ts';
import { type ChangedVersionRow, listChangedVersions, listInventoryMoments } from './queries/inventory-changes.ts';
import { severityWord } from './severity-word.ts';

const MAX_CHANGES = 1_000;

const versionOf = ({ id, version, direct, findings, worst, fixed }: ChangedVersionRow) => ({
  ...{ _id: id, version, direct, findings, fixed },
  worst_severity: worst === null ? null : severityWord(worst),
});

/** What two inventories of one application differ in. */
export const changesEndpoint = (): Endpoint =>
  tenantEndpoint(readInventoryChanges)(async ({ db, caller, params, query }) => {
    const application = { clientId: caller.clientId, repositoryId: params.id };
    const found = await findApplication(db, { ...application, onlyOwnedBy: ownedOnly(caller) });
    if (found === undefined) throw new AppError('repository_not_found');
    const moments = await listInventoryMoments(db, application);
    const to = query.to === undefined ? moments[0]?.at : new Date(query.to);
    const before = moments.find(({ at }) => to !== undefined && at < to)?.at;
    const from = query.from === undefined ? before : new Date(query.from);
    const versions =
      from === undefined || to === undefined ? [] : await listChangedVersions(db, { ...application, from, to });
    const changes = packageChanges(versions);
    const totals = CHANGE_KINDS.map((kind) => ({
      kind,
      count: changes.filter((change) => change.kind === kind).length,
    }));
    return {
      data: {
        repository: found.name,
        moments: moments.map(({ at, added, removed }) => ({ at: at.toISOString(), added, removed })),
        from: from?.toISOString() ?? null,
        to: to?.toISOString() ?? null,
        totals,
        changes: changes.slice(0, MAX_CHANGES).map(({ kind, name, ecosystem, before: gone, after }) => ({
          ...{ kind, name, ecosystem },
          before: gone.map(versionOf),
          after: after.map(versionOf),
        })),
      },
    };
  });

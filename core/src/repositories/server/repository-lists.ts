import { SEVERITIES } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { csvCell } from '../../platform/model/csv-cell.ts';
import { SEVERITY_LABELS, severityOfRank } from '../../platform/model/severity.ts';
import type { Db } from '../../platform/server/database.ts';
import type { FileAnswer } from '../../platform/server/endpoint.ts';
import type { RepositoryListQuery } from '../api/routes.ts';
import { countOpenByRepository, noCounts, type RepositoryViewer, readRepositoriesPage } from './repository-queries.ts';
import './tables.ts';

/** Branches with their open findings, the default one first. Reads repository_branches by client and repository. */
export const readBranches = async (
  db: Db,
  repository: { clientId: string; id: string; repository_branch: string; last_scan: string | null },
) => {
  const { clientId, id, repository_branch: name, last_scan } = repository;
  const rows = await db
    .selectFrom('repository_branches')
    .select(['id', 'name', 'last_scan_at'])
    .where('client_id', '=', clientId)
    .where('repository_id', '=', id)
    .orderBy('name')
    .execute();
  const repositoryIds = [id, ...rows.map((row) => row.id)];
  const counts = new Map(repositoryIds.map((one) => [one, noCounts()]));
  for (const { repository_id, severity, count } of await countOpenByRepository(db, { clientId, repositoryIds })) {
    const sums = counts.get(repository_id);
    if (sums !== undefined) sums[severityOfRank(severity)] = count;
  }
  const branches = [
    { id, name, is_default: true, last_scan },
    ...rows.map((row) => ({
      ...{ id: row.id, name: row.name, is_default: false },
      last_scan: row.last_scan_at?.toISOString() ?? null,
    })),
  ];
  return branches.map(({ id: branchId, ...branch }) => ({
    _id: branchId,
    attributes: { ...branch, counts: counts.get(branchId) ?? noCounts() },
  }));
};

const SHOWN_EVENTS = 100;

/** The history of a repository, newest first. Walks its primary key. */
export const readEvents = async (db: Db, clientId: string, repositoryId: string) => {
  const rows = await db
    .selectFrom('repository_events')
    .select(['at', 'actor_name as by', 'field', 'from_value as from', 'to_value as to'])
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
    .orderBy('id', 'desc')
    .limit(SHOWN_EVENTS)
    .execute();
  return rows.map(({ at, ...event }) => ({ at: at.toISOString(), ...event }));
};

/** Tags of the repositories that a viewer may see, by name. Reads the client's repositories, of which there are few. */
export const readTags = async (db: Db, { clientId, onlyOwnedBy }: RepositoryViewer) => {
  const { rows } = await sql<{ tag: string; count: number }>`
    select t.tag, count(*)::integer as count from repositories r cross join unnest(r.tags) t (tag)
    where r.client_id = ${clientId} and (${onlyOwnedBy}::uuid is null or r.owner = ${onlyOwnedBy}::uuid)
    group by t.tag order by lower(t.tag), t.tag limit 1000`.execute(db);
  return rows;
};

const HEAD = [
  ...['Repository', 'Source control', 'Branch', 'Address', 'State', 'Owner', 'Tags', 'Exposure', 'Data class'],
  ...['Schedule', 'Last scan', ...SEVERITIES.map((severity) => SEVERITY_LABELS[severity]), 'Id'],
];

/** The repositories of the list as CSV of RFC 4180 in UTF-8, marked as such for spreadsheets. At most 10,000. */
export const repositoriesFile = async (
  db: Db,
  viewer: RepositoryViewer,
  query: Static<typeof RepositoryListQuery>,
): Promise<FileAnswer> => {
  const { data } = await readRepositoriesPage(db, viewer, { ...query, pagination: 'false' });
  const rows = data.map(({ _id, attributes: of }) => [
    ...[of.nickname, of.source_control, of.repository_branch, of.url, of.status],
    ...[of.owner_name ?? of.owner ?? '', of.tags.join(', '), of.exposure, of.data_class],
    ...[of.schedule ?? '', of.last_scan ?? '', ...SEVERITIES.map((severity) => of.counts[severity]), _id],
  ]);
  const lines = [HEAD, ...rows].map((cells) => `${cells.map(csvCell).join(',')}\r\n`);
  return {
    fileName: `repositories-${new Date().toISOString().slice(0, 10)}.csv`,
    contentType: 'text/csv; charset=utf-8',
    content: `\ufeff${lines.join('')}`,
  };
};

import type pg from 'pg';
import type { ReportTool } from '../../../platform/model/connector-catalogue.ts';

/** The names under which reports of one importer come: its own and those of the catalogue's entries that it reads for. */
export interface ToolIds {
  /** The one that the sender chose, or under which the report was recognised. */
  own: string;
  /** Those that say the same of a report, the own one too: the importer's name, and entries of the same family. */
  alike: readonly string[];
  all: readonly string[];
}

export const toolIdsOf = (tool: ReportTool, tools: readonly ReportTool[]): ToolIds => {
  const others = tools.filter((other) => other.tool === tool.tool && other.id !== tool.id);
  const alike = others.filter(({ family }) => family === null || tool.family === null || family === tool.family);
  const named = (found: readonly ReportTool[]): string[] => [
    ...new Set([tool.id, tool.tool, ...found.map(({ id }) => id)]),
  ];
  return { own: tool.id, alike: named(alike), all: named(others) };
};

/** Whether nothing was ever imported of the tool in the repository, in any branch. */
const IS_FIRST = `
  select not exists (
    select 1 from scan_scopes where client_id = $1 and repository_id = $2 and tool = any($3::text[]) and last_seen_at is not null
  ) as "isFirst"`;

export interface ToolOfRepository {
  clientId: string;
  repositoryId: string;
  toolIds: ToolIds;
}

export const isFirstOfTool = async (client: pg.ClientBase, of: ToolOfRepository): Promise<boolean> =>
  (await client.query<{ isFirst: boolean }>(IS_FIRST, [of.clientId, of.repositoryId, of.toolIds.all])).rows[0]
    ?.isFirst === true;

export interface KnownScope {
  id: number;
  lastScanId: string | null;
}

/** Where a report may belong. Its target is known no sooner than at its end. */
const GUESS_SCOPE = `
  select s.id, s.last_scan_id as "lastScanId", s.tool = $6 as "isOwn" from scan_scopes s
  join repositories r on r.client_id = $1 and r.id = s.repository_id
  left join repository_branches b on b.client_id = $1 and b.id = s.branch_id
  where s.client_id = $1 and s.repository_id = $2 and s.tool = any($3::text[]) and s.last_seen_at is not null
    and coalesce(b.name, r.repository_branch) = coalesce($4, r.repository_branch) and ($5::text is null or s.part = $5)
  order by "isOwn" desc limit 2`;

/** The one scope that a report will speak for, if there is only one that it can be: of its own id, else of those alike. */
export const guessScope = async (
  client: pg.ClientBase,
  { clientId, repositoryId, toolIds, branch, part }: ToolOfRepository & { branch: string | null; part: string | null },
): Promise<KnownScope | undefined> => {
  const values = [clientId, repositoryId, toolIds.alike, branch, part, toolIds.own];
  const { rows } = await client.query<KnownScope & { isOwn: boolean }>(GUESS_SCOPE, values);
  const [first, second] = rows;
  return second === undefined || first?.isOwn !== second.isOwn ? first : undefined;
};

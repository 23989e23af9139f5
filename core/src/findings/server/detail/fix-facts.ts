import type { FindingType } from '@breakwater/sdk';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { FindingStatus } from '../../model/states.ts';
import { maySee, type Viewer } from '../filter/viewer.ts';

/** What a fix is made from. */
export interface FixFacts {
  id: string;
  status: FindingStatus;
  /** Of the scope: the repository, or a branch of it. */
  scopeRepositoryId: string;
  repositoryId: string;
  repository: string;
  sourceControl: string;
  /** Id at the provider. */
  externalId: string | null;
  repositoryUrl: string;
  /** The one that the finding is in. */
  branch: string;
  tool: string;
  ruleId: string;
  title: string;
  description: string | null;
  mitigation: string | null;
  references: string[] | null;
  severity: number;
  type: FindingType;
  cve: string | null;
  cwe: number[];
  /** From the root of the repository, without a slash before it, however the tool writes it. */
  file: string | null;
  startLine: number | null;
  endLine: number | null;
  resource: string | null;
  component: string | null;
  componentVersion: string | null;
  fixedVersion: string | null;
  purl: string | null;
  ecosystem: string | null;
}

const select = (clientId: string, found: RawBuilder<unknown>, condition: RawBuilder<boolean>) => sql<FixFacts>`
  select f.id, f.status, f.repository_id as "scopeRepositoryId", r.id as "repositoryId", r.nickname as repository,
    r.source_control as "sourceControl", r.external_id as "externalId", r.url as "repositoryUrl",
    coalesce(b.name, r.repository_branch) as branch, f.tool, x.rule_id as "ruleId", x.title, d.description, d.mitigation,
    d.reference_urls as references, f.severity, f.type, x.cve, x.cwe, nullif(ltrim(p.path, '/'), '') as file, l.start_line as "startLine",
    l.end_line as "endLine", d.resource, x.component, x.component_version as "componentVersion",
    x.fixed_version as "fixedVersion", x.purl, x.ecosystem
  from ${found}
  join finding_definitions x on x.client_id = f.client_id and x.id = f.definition_id
  left join repository_branches b on b.client_id = f.client_id and b.id = f.repository_id
  join repositories r on r.client_id = f.client_id and r.id = coalesce(b.repository_id, f.repository_id)
  left join finding_files p on p.client_id = f.client_id and p.id = f.file_id
  left join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
  left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
  where f.client_id = ${clientId} and ${condition}
  order by f.id limit 500`;

/** What a fix of one finding is made from; undefined where the viewer may not see it. Reads by primary keys. */
export const readFixFacts = async (
  db: Db,
  { viewer, id }: { viewer: Viewer; id: string },
): Promise<FixFacts | undefined> => {
  const condition = sql<boolean>`f.id = ${id} and ${maySee(viewer)}`;
  return (await select(viewer.clientId, sql`findings f`, condition).execute(db)).rows[0];
};

/** The same of many, those that the viewer may see; at most 500. Reads by primary keys. */
export const readManyFixFacts = async (
  db: Db,
  { viewer, ids }: { viewer: Viewer; ids: readonly string[] },
): Promise<FixFacts[]> => {
  const found = sql`unnest(${[...ids]}::uuid[]) wanted (id)
    cross join lateral (select * from findings where client_id = ${viewer.clientId} and id = wanted.id offset 0) f`;
  return (await select(viewer.clientId, found, maySee(viewer)).execute(db)).rows;
};

/** Other open findings of the same repository about the same package, at most 500. Index: finding_definitions_component. */
export const readRelatedFixFacts = async (db: Db, clientId: string, facts: FixFacts): Promise<FixFacts[]> => {
  if (facts.component === null) return [];
  const found = sql`(
    select o.* from finding_definitions y
    join findings o on o.client_id = y.client_id and o.definition_id = y.id
    where y.client_id = ${clientId} and y.component = ${facts.component}
  ) f`;
  const condition = sql<boolean>`f.repository_id = ${facts.scopeRepositoryId} and f.status <> 'mitigated' and f.id <> ${facts.id}`;
  return (await select(clientId, found, condition).execute(db)).rows;
};

/** Other open findings of the same file in code or about secrets, at most 500. Index: findings_by_file. */
export const readFixFactsOfFile = async (db: Db, clientId: string, facts: FixFacts): Promise<FixFacts[]> => {
  if (facts.file === null) return [];
  // some tools begin the path with the root of the repository
  const spellings = [facts.file, `/${facts.file}`];
  const found = sql`(
    select o.* from find_files(${spellings}::text[]) wanted (id)
    cross join lateral (select * from findings where client_id = ${clientId} and file_id = wanted.id offset 0) o
  ) f`;
  const condition = sql<boolean>`f.repository_id = ${facts.scopeRepositoryId} and f.status <> 'mitigated'
    and f.type in ('SAST', 'Secrets')`;
  return (await select(clientId, found, condition).execute(db)).rows;
};

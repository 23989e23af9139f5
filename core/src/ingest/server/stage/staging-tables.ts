import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';

/** Temporary, so that two imports cannot disturb each other and row-level security does not refuse COPY. */
const STAGING_TABLES = `
  create temp table stage_findings (
    n integer not null, id uuid not null, identity uuid not null, content uuid not null, definition_n integer not null, file_n integer,
    date timestamptz, severity smallint not null, severity_numerical smallint not null, priority smallint not null,
    type text not null, category text not null, language text not null, verdict text not null, kev boolean not null,
    cvss real, epss real, start_line integer, end_line integer, start_column integer, end_column integer, tags text[] not null,
    effort smallint not null, exploitability smallint not null, impact smallint not null, is_language_estimated boolean not null
  ) on commit drop;
  create temp table stage_equal (n integer not null, id uuid not null, identity uuid not null, content uuid not null) on commit drop;
  create temp table stage_details (
    n integer not null, id uuid not null, description text, mitigation text, code text, code_start_line integer, native_severity text, cvss_vector text,
    reference_urls text[], locations jsonb, code_flows jsonb, resource text, policy jsonb, secret_hash text, priority_parts jsonb not null,
    verdict_reason text
  ) on commit drop;
  create temp table stage_definitions (
    n integer not null, digest uuid not null, tool text not null, rule_id text not null, title text not null, cve text,
    aliases text[] not null, cwe integer[] not null, component text, component_version text, fixed_version text, purl text,
    ecosystem text, package_key uuid, owasp_2021 text, owasp_2025 text, epss real, epss_percentile real, epss_date text, kev_added text,
    slsa_threats text[] not null, owasp_cicd text[] not null,
    reported_epss real, reported_epss_percentile real, reported_epss_date text, id bigint
  ) on commit drop;
  create temp table stage_policies (definition_n integer not null, policy jsonb not null) on commit drop;
  create temp table stage_files (n integer not null, path text not null, id bigint) on commit drop;
  create temp table stage_components (
    n integer not null, id uuid not null, digest uuid not null, name text not null, version text, group_name text, purl text, ecosystem text,
    type text, licenses text[] not null, license_class text not null, description text, direct boolean
  ) on commit drop;
  create temp table stage_edges (from_n integer not null, to_ref text not null) on commit drop;
  create temp table stage_refs (ref text not null, n integer not null) on commit drop;
  alter table stage_details alter column description set storage external, alter column code set storage external,
    alter column code_flows set storage external, alter column locations set storage external`;

const TARGETS = {
  findings: 'stage_findings',
  details: 'stage_details',
  equal: 'stage_equal',
  definitions:
    'stage_definitions (n, digest, tool, rule_id, title, cve, aliases, cwe, component, component_version, fixed_version, purl, ecosystem, package_key, owasp_2021, owasp_2025, epss, epss_percentile, epss_date, kev_added, slsa_threats, owasp_cicd, reported_epss, reported_epss_percentile, reported_epss_date)',
  policies: 'stage_policies',
  files: 'stage_files (n, path)',
  components: 'stage_components',
  edges: 'stage_edges',
  refs: 'stage_refs',
} as const;
export type StagingTarget = keyof typeof TARGETS;
const TARGET_NAMES = [
  'definitions',
  'policies',
  'files',
  'findings',
  'details',
  'equal',
  'components',
  'refs',
  'edges',
] as const;

/** Characters that wait in memory before they are copied. */
const FLUSH_AT = 1_500_000;

const copyInto = async (client: pg.ClientBase, target: StagingTarget, lines: readonly string[]): Promise<void> => {
  const stream = client.query(copyFrom(`copy ${TARGETS[target]} from stdin`));
  stream.end(`${lines.join('\n')}\n`);
  await finished(stream);
};

/** Lines of COPY text on their way to the staging tables. */
export interface StagingBuffers {
  put(target: StagingTarget, line: string): void;
  /** True when enough waits to be worth a COPY. */
  isFull(): boolean;
  flush(): Promise<void>;
}

/** Creates the staging tables in the open transaction. @param movesDetailsOf the client whose long text is stored with each batch. */
export const createStagingBuffers = async (
  client: pg.ClientBase,
  movesDetailsOf: string | undefined,
): Promise<StagingBuffers> => {
  await client.query(STAGING_TABLES);
  const buffers = new Map<StagingTarget, string[]>(TARGET_NAMES.map((name) => [name, []]));
  let waiting = 0;
  return {
    put: (target, line) => {
      buffers.get(target)?.push(line);
      waiting += line.length;
    },
    isFull: () => waiting >= FLUSH_AT,
    flush: async () => {
      // taken at once: more may be put while this batch is on its way
      const batch = [...buffers].filter(([, lines]) => lines.length > 0);
      for (const [target] of batch) buffers.set(target, []);
      waiting = 0;
      for (const [target, lines] of batch) await copyInto(client, target, lines);
      if (movesDetailsOf !== undefined) await moveDetails(client, movesDetailsOf);
    },
  };
};

/** Long text of staged findings goes where it stays. `where` is on `d`. */
const addDetails = (where: string): string => `
  insert into finding_details (client_id, finding_id, description, mitigation, code, code_start_line, native_severity, cvss_vector,
    reference_urls, locations, code_flows, resource, policy, secret_hash, priority_parts, verdict_reason)
  select $1, d.id, d.description, d.mitigation, d.code, d.code_start_line, d.native_severity, d.cvss_vector,
    d.reference_urls, d.locations, d.code_flows, d.resource, d.policy, d.secret_hash, d.priority_parts, d.verdict_reason
  from stage_details d${where}`;

export const ADD_DETAILS = addDetails(' where not exists (select 1 from pairs where pairs.n = d.n)');

/** Each batch at once, while the next is read: of a scope without findings every result is new. */
const ADD_ALL_DETAILS = addDetails('');

export const moveDetails = async (client: pg.ClientBase, clientId: string): Promise<void> => {
  await client.query(ADD_ALL_DETAILS, [clientId]);
  await client.query('truncate stage_details');
};

/** Whether nothing was ever imported of the tool in the repository, in any branch. */
const IS_FIRST = `
  select not exists (
    select 1 from scan_scopes where client_id = $1 and repository_id = $2 and tool = $3 and last_seen_at is not null
  ) as "isFirst"`;

export const isFirstOfTool = async (
  client: pg.ClientBase,
  of: { clientId: string; repositoryId: string; toolId: string },
): Promise<boolean> =>
  (await client.query<{ isFirst: boolean }>(IS_FIRST, [of.clientId, of.repositoryId, of.toolId])).rows[0]?.isFirst ===
  true;

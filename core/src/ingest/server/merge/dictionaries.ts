import { type MergeContext, run } from '../stage/merge-context.ts';

/** Rows go in in order of their key, so that two imports wait for each other instead of locking each other out. */
const ADD_FILES = `
  insert into finding_files (client_id, path)
  select $1, s.path from stage_files s
  where not exists (select 1 from finding_files f where f.client_id = $1 and md5(f.path) = md5(s.path))
  order by md5(s.path)
  on conflict (client_id, md5(path)) do nothing`;

const FIND_FILES = `
  update stage_files s set id = f.id from finding_files f where f.client_id = $1 and md5(f.path) = md5(s.path)`;

const ADD_DEFINITIONS = `
  insert into finding_definitions (client_id, digest, tool, rule_id, title, cve, aliases, cwe, component, component_version, fixed_version, purl,
    ecosystem, package_key, owasp_2021, owasp_2025, epss, epss_percentile, epss_date, kev_added, kev_told,
    slsa_threats, owasp_cicd, reported_epss, reported_epss_percentile, reported_epss_date)
  select $1, digest, tool, rule_id, title, cve, aliases, cwe, component, component_version, fixed_version, purl,
    ecosystem, package_key, owasp_2021, owasp_2025, epss, epss_percentile, epss_date, kev_added, kev_added,
    slsa_threats, owasp_cicd, reported_epss, reported_epss_percentile, reported_epss_date
  from stage_definitions s
  where not exists (select 1 from finding_definitions t where t.client_id = $1 and t.digest = s.digest)
  order by s.digest
  on conflict (client_id, digest) do nothing`;

const FIND_DEFINITIONS = `
  update stage_definitions s set id = t.id from finding_definitions t where t.client_id = $1 and t.digest = s.digest`;

/** What public data says today replaces what it said at an earlier import. */
const REFRESH_DEFINITIONS = `
  update finding_definitions t
  set owasp_2021 = s.owasp_2021, owasp_2025 = s.owasp_2025, epss = s.epss, epss_percentile = s.epss_percentile,
    epss_date = s.epss_date, kev_added = s.kev_added, slsa_threats = s.slsa_threats, owasp_cicd = s.owasp_cicd,
    reported_epss = s.reported_epss, reported_epss_percentile = s.reported_epss_percentile, reported_epss_date = s.reported_epss_date
  from stage_definitions s
  where t.client_id = $1 and t.id = s.id
    and (t.owasp_2021, t.owasp_2025, t.epss, t.epss_percentile, t.epss_date, t.kev_added, t.slsa_threats, t.owasp_cicd,
        t.reported_epss, t.reported_epss_percentile, t.reported_epss_date)
      is distinct from (s.owasp_2021, s.owasp_2025, s.epss, s.epss_percentile, s.epss_date, s.kev_added, s.slsa_threats, s.owasp_cicd,
        s.reported_epss, s.reported_epss_percentile, s.reported_epss_date)`;

/** Stores paths and definitions that are new in this client and finds the ids of all. */
export const mergeDictionaries = async (context: Pick<MergeContext, 'client' | 'clientId'>): Promise<void> => {
  for (const statement of [ADD_FILES, FIND_FILES, ADD_DEFINITIONS, FIND_DEFINITIONS, REFRESH_DEFINITIONS]) {
    await run(context, statement, [context.clientId]);
  }
};

/** A rule's policy, once for all its findings, so that lists can be filtered by it. The newest report's word counts. */
const KEEP_POLICIES = `
  update finding_definitions t set policy = s.policy
  from stage_policies s join stage_definitions u on u.n = s.definition_n
  where t.client_id = $1 and t.id = u.id and t.policy is distinct from s.policy`;

/** Stores what the report says about the policies behind its rules. */
export const mergePolicies = async (context: MergeContext): Promise<void> => {
  await run(context, KEEP_POLICIES, [context.clientId]);
};

import { type Correlatable, codeKeys, correlate, packageKeys } from '../model/correlate.ts';
import { type MergeContext, run } from './merge-context.ts';

/** Files and packages whose open findings are others than before: of new, changed, reopened and closed findings. */
const TOUCHED = (tables: { changes: boolean; gone: boolean }): string => `
  create temp table touched on commit drop as
  select distinct p.id as file_id, u.package_key
  from (
    select s.subject_n, s.file_n from stage_findings s where not exists (select 1 from pairs where pairs.n = s.n)
    ${tables.changes ? 'union all select s.subject_n, s.file_n from changes c join stage_findings s on s.n = c.n' : ''}
  ) s
  join stage_subjects u on u.n = s.subject_n
  left join stage_files p on p.n = s.file_n
  ${tables.gone ? 'union select g.file_id, u.package_key from gone g join finding_subjects u on u.client_id = $1 and u.id = g.subject_id' : ''}`;

const COMMON = `f.id, f.severity, f.verdict <> 'none' as "isJudged", f.first_scan_id <> $3 and not f.is_duplicate as "isEstablished",
  f.is_duplicate as "isDuplicate", f.duplicate_of as "duplicateOf"`;

/** Results in code that share their line with another, and those marked before. Index: findings_by_file. */
const CODE = `
  select ${COMMON}, f.file_id as "fileId", f.start_line as line, f.type = 'Secrets' as "isSecret", u.cwe, d.secret_hash as "secretHash"
  from (
    select f.id, f.severity, f.verdict, f.first_scan_id, f.is_duplicate, f.duplicate_of, f.file_id, f.start_line, f.type, f.subject_id,
      count(*) over (partition by f.file_id, f.start_line) as mates
    from findings f
    where f.client_id = $1 and f.repository_id = $2 and f.file_id in (select file_id from touched) and f.start_line is not null
      and f.status <> 'mitigated' and f.type in ('SAST', 'Secrets')
  ) f
  join finding_subjects u on u.client_id = $1 and u.id = f.subject_id
  left join finding_details d on f.type = 'Secrets' and d.client_id = $1 and d.finding_id = f.id
  where f.mates > 1 or f.is_duplicate`;

/** Indexes: finding_subjects_package, findings_by_subject. */
const PACKAGES = `
  select ${COMMON}, u.package_key as "packageKey", array_append(u.aliases, coalesce(u.cve, u.rule_id)) as names
  from finding_subjects u
  join findings f on f.client_id = $1 and f.subject_id = u.id
  where u.client_id = $1 and u.package_key in (select package_key from touched)
    and f.repository_id = $2 and f.status <> 'mitigated'`;

const APPLY = `
  update findings f set is_duplicate = c.duplicate_of is not null, duplicate_of = c.duplicate_of
  from unnest($2::uuid[], $3::uuid[]) c (id, duplicate_of)
  where f.client_id = $1 and f.id = c.id`;

type Common = Omit<Correlatable, 'keys' | 'joins' | 'secretHash'>;
type CodeRow = Common & { fileId: number; line: number; isSecret: boolean; cwe: number[]; secretHash: string | null };
type PackageRow = Common & { packageKey: string; names: string[] };

const readCandidates = async (context: MergeContext): Promise<Correlatable[]> => {
  const values = [context.clientId, context.repositoryId, context.scanId];
  const code = await context.client.query<CodeRow>(CODE, values);
  const packages = await context.client.query<PackageRow>(PACKAGES, values);
  return [
    ...code.rows.map((row) => ({ ...row, ...codeKeys(row) })),
    ...packages.rows.map((row) => ({
      ...row,
      keys: packageKeys(row.packageKey, row.names),
      joins: [],
      secretHash: null,
    })),
  ];
};

/** Marks findings of the repository that say the same, across tools and within one. Looks only at what this import touched. */
export const mergeCorrelation = async (
  context: MergeContext,
  tables: { changes: boolean; gone: boolean },
): Promise<void> => {
  const touched = await run(context, TOUCHED(tables), tables.gone ? [context.clientId] : []);
  if (touched === 0) return;
  await context.client.query('analyze touched');
  const changes = correlate(await readCandidates(context));
  if (changes.length === 0) return;
  await run(context, APPLY, [
    context.clientId,
    changes.map((change) => change.id),
    changes.map((change) => change.duplicateOf),
  ]);
};

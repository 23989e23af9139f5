import type { Decision } from './failover-load.ts';

/** Asks the database itself, with the rights of its owner. */
export interface Questions {
  query(text: string): Promise<Record<string, unknown>[]>;
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const listOf = (values: readonly string[]): string => `array[${values.map(literal).join(', ')}]::text[]`;

/** Which acknowledged decisions are not in the history of their finding exactly once, or were replaced by none that was sent later. */
export const lostDecisions = async (database: Questions, decisions: readonly Decision[]): Promise<string[]> => {
  const lost: string[] = [];
  const ids = [...new Set(decisions.map(({ findingId }) => findingId))];
  const events = await database.query(
    `select reason, count(*)::int as n from finding_events
     where finding_id::text = any(${listOf(ids)}) and kind = 'verdict' and reason is not null group by reason`,
  );
  const times = new Map(events.map(({ reason, n }) => [String(reason), Number(n)]));
  for (const { reason, isAcknowledged } of decisions) {
    const count = times.get(reason) ?? 0;
    if (count > 1 || (isAcknowledged && count === 0)) lost.push(`decision "${reason}" was stored ${count} times`);
  }
  const findings = await database.query(`select id::text, verdict from findings where id::text = any(${listOf(ids)})`);
  const verdicts = new Map(findings.map(({ id, verdict }) => [String(id), String(verdict)]));
  for (const id of ids) {
    const own = decisions.filter(({ findingId }) => findingId === id);
    const last = own.findLastIndex(({ isAcknowledged }) => isAcknowledged);
    if (last < 0) continue;
    const allowed = own.slice(last).map(({ value }) => value);
    const found = verdicts.get(id) ?? 'no finding';
    if (!allowed.includes(found)) lost.push(`finding ${id} is "${found}", not "${allowed.join('" or "')}"`);
  }
  return lost;
};

/** Which acknowledged uploads are not there, or did not end as `done`. */
export const lostUploads = async (database: Questions, scans: readonly string[]): Promise<string[]> => {
  const rows = await database.query(`select id::text, status, code from scans where id::text = any(${listOf(scans)})`);
  const states = new Map(rows.map(({ id, status, code }) => [String(id), `${status} ${code ?? ''}`.trim()]));
  return scans.filter((id) => states.get(id) !== 'done').map((id) => `upload ${id} is ${states.get(id) ?? 'gone'}`);
};

/** What differs from an import of `results` findings, each of which is new and there once. */
export const wrongImport = async (
  database: Questions,
  { repositoryId, scanId, results }: { repositoryId: string; scanId: string; results: number },
): Promise<string[]> => {
  const [scan] = await database.query(`select status, counts from scans where id = ${literal(scanId)}`);
  const [stored] = await database.query(
    `select count(*)::int as n, count(distinct file_id)::int as files from findings
     where repository_id = ${literal(repositoryId)}`,
  );
  const counts = Object(scan?.['counts']);
  const found = { status: scan?.['status'], total: counts.total, new: counts.new, ...stored };
  // each generated result is of a file of its own
  const expected = { status: 'done', total: results, new: results, n: results, files: results };
  return JSON.stringify(found) === JSON.stringify(expected)
    ? []
    : [`the import is ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`];
};

import type { FindingType } from '@breakwater/sdk';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { notify } from '../../notifications/server/index.ts';
import { say, sayCount } from '../../platform/model/sentence.ts';
import { severityOfRank } from '../../platform/model/severity.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { defineJobState } from '../../platform/server/jobs/job-state.ts';
import { exploitFacts, likelihoodOf } from '../model/enrich.ts';
import { estimate } from '../model/estimates.ts';
import type { EpssEntry, ReferenceData } from '../model/reference.ts';
import { type PackageUse, packageUseOf, scorePriority, tieFactsOf } from '../model/score-priority.ts';
import type { PriorityRules } from '../model/settings/priority-rules.ts';
import { loadReferenceData } from './feeds/reference-data.ts';
import { FLOW_STEPS } from './settings/read-scored.ts';
import { lockScoring, readPriorityRules, runIn } from './settings/stored-rules.ts';
import { writePriorityReasons } from './settings/write-priorities.ts';

/** How far a client's findings are scored with the newest EPSS and KEV. */
const RescoreState = Type.Object({
  version: Type.Integer({ default: 0 }),
  /** Definitions up to this one are done. */
  after: Type.Integer({ default: 0 }),
  /** Open findings that KEV lists anew, since the last notice. */
  kevFound: Type.Integer({ default: 0 }),
});
export const rescoreState = defineJobState('reference.rescore', RescoreState);
type RescoreState = Static<typeof RescoreState>;

/**
 * Counts the open findings of definitions that the catalogue lists and that nobody was notified of, and records that they are counted.
 * Findings of other branches than the default one are no news of their own.
 */
const countNewlyListed = async (db: Db, clientId: string, definitions: readonly number[]): Promise<number> => {
  if (definitions.length === 0) return 0;
  // index: primary key, findings_by_definition
  const { rows } = await sql<{ found: number }>`
    with listed as (
      update finding_definitions set kev_notified = kev_added
      where client_id = ${clientId} and id = any(${[...definitions]}::bigint[])
        and kev_added is not null and kev_notified is null
      returning id
    )
    select count(*)::integer as found from listed
    join findings f on f.client_id = ${clientId} and f.definition_id = listed.id and f.is_open
    join repositories r on r.client_id = f.client_id and r.id = f.repository_id`.execute(db);
  return rows[0]?.found ?? 0;
};

/** At the end of a scoring, in its transaction: one notice for all that was found since the last one. */
const notifyNewlyListed = async (db: Db, clientId: string, found: number, kevDate: string): Promise<void> => {
  if (found === 0) return;
  await notify(db, {
    clientId,
    type: 'kev_match',
    title: sayCount(
      found,
      '{count} finding is now known to be exploited',
      '{count} findings are now known to be exploited',
    ),
    message: say('The CISA KEV catalogue of {date} lists them. Their priority is at least 90.', { date: kevDate }),
    link: '/findings/all?kev=only',
    to: { permission: 'findings.triage' },
  });
};

/** In an import's transaction: findings were scored with data older than the newest, so the client is gone through again. */
export const ASK_FOR_RESCORE = `
  update job_state set due_at = now(), requests = requests + 1, state = state || '{"after": 0}'
  where client_id = $1 and job = 'reference.rescore' and $2::bigint < (select coalesce(max(version), 0) from reference_feeds)`;

/** Definitions of one transaction: long enough to be quick, short enough that an import need not wait. */
const BATCH = 250;

interface DefinitionRow {
  id: number;
  component: string | null;
  fixed_version: string | null;
  cve: string | null;
  aliases: string[];
  cwe: number[];
  owasp_2021: string | null;
  owasp_2025: string | null;
  reported_epss: number | null;
  reported_epss_percentile: number | null;
  reported_epss_date: string | null;
}

interface FindingRow {
  id: string;
  definition_id: number;
  severity: number;
  type: FindingType;
  cvss: number | null;
  cvss_vector: string | null;
  /** A person set the severity: then the CVSS of the report no longer counts. */
  is_own_severity: boolean;
  exposure: 'internet' | 'internal' | 'unknown';
  data_class: 'sensitive' | 'business' | 'public' | 'unknown';
  package_use: PackageUse | null;
  effort_for_fixing: number | null;
  path: string | null;
  flow_steps: number | null;
}

type Exploit = ReturnType<typeof exploitFacts>;

const reportedOf = (row: DefinitionRow): EpssEntry | undefined =>
  row.reported_epss === null
    ? undefined
    : {
        probability: row.reported_epss,
        ...(row.reported_epss_percentile === null ? {} : { percentile: row.reported_epss_percentile }),
        ...(row.reported_epss_date === null ? {} : { date: row.reported_epss_date }),
      };

/** The same rules as at an import. */
const rescored = (
  row: FindingRow,
  definition: DefinitionRow,
  exploit: Exploit,
  { reference, rules }: { reference: ReferenceData; rules: PriorityRules },
) => {
  const facts = {
    severity: severityOfRank(row.severity),
    cvssScore: row.cvss ?? undefined,
    cvssVector: row.cvss_vector ?? undefined,
    likelihood: likelihoodOf(definition.cwe, reference),
    ...exploit,
  };
  const priority = scorePriority(
    {
      ...facts,
      cvssScore: row.is_own_severity ? undefined : facts.cvssScore,
      type: row.type,
      exposure: row.exposure,
      dataClass: row.data_class,
      owasp: definition.owasp_2025 ?? definition.owasp_2021 ?? undefined,
      packageUse: packageUseOf(row.package_use, definition.component),
      tie: tieFactsOf({
        ...definition,
        fixedVersion: definition.fixed_version,
        effort: row.effort_for_fixing,
        path: row.path,
        flowSteps: row.flow_steps,
      }),
    },
    rules,
  );
  const { exploitability } = estimate({ ...facts, type: row.type, cwe: definition.cwe }, reference);
  return { id: row.id, exploit, priority, exploitability };
};

const readDefinitions = async (db: Db, clientId: string, after: number): Promise<DefinitionRow[]> => {
  // index: primary key
  const { rows } = await sql<DefinitionRow>`
    select id, component, fixed_version, cve, aliases, cwe, owasp_2021, owasp_2025, reported_epss, reported_epss_percentile, reported_epss_date
    from finding_definitions
    where client_id = ${clientId} and id > ${after} and (cve is not null or aliases <> '{}')
    order by id limit ${BATCH} for no key update`.execute(db);
  return rows;
};

/** Writes what the data says of definitions today. */
const writeDefinitions = async (db: Db, clientId: string, found: ReadonlyMap<number, Exploit>): Promise<void> => {
  const values = [...found].map(([id, { epss, kev }]) => ({
    id,
    epss: epss?.probability ?? null,
    percentile: epss?.percentile ?? null,
    date: epss?.date ?? null,
    kev: kev?.dateAdded ?? null,
  }));
  await sql`
    update finding_definitions t set epss = c.epss, epss_percentile = c.percentile, epss_date = c.date, kev_added = c.kev
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) c (id bigint, epss real, percentile real, date text, kev text)
    where t.client_id = ${clientId} and t.id = c.id
      and (t.epss, t.epss_percentile, t.epss_date, t.kev_added) is distinct from (c.epss, c.percentile, c.date, c.kev)`.execute(
    db,
  );
};

/**
 * Locked in order of their ids before they are read, so that what a person or an import writes at the same moment counts. All of the
 * definitions, not only those that changed: an import writes the newest data into a definition that findings of other repositories share.
 */
const readFindings = async (db: Db, clientId: string, definitions: readonly number[]): Promise<FindingRow[]> => {
  // index: findings_by_definition
  await sql`
    select from findings where client_id = ${clientId} and definition_id = any(${[...definitions]}::bigint[])
    order by id for no key update`.execute(db);
  const { rows } = await sql<FindingRow>`
    select f.id, f.definition_id, f.severity, f.type, f.cvss, d.cvss_vector,
      f.reported_severity is not null as is_own_severity, r.exposure, r.data_class, u.use as package_use,
      f.effort_for_fixing, p.path, ${sql.raw(FLOW_STEPS)} as flow_steps
    from findings f
    left join repository_branches b on b.client_id = f.client_id and b.id = f.repository_id
    join repositories r on r.client_id = f.client_id and r.id = coalesce(b.repository_id, f.repository_id)
    left join finding_files p on p.client_id = f.client_id and p.id = f.file_id
    left join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
    left join package_uses u on u.client_id = f.client_id and u.repository_id = r.id and u.definition_id = f.definition_id
    where f.client_id = ${clientId} and f.definition_id = any(${[...definitions]}::bigint[])`.execute(db);
  return rows;
};

type Rescored = ReturnType<typeof rescored>;

/** Rows that stay the same are not written: the rollups then have nothing to do either. */
const writeFindings = async (db: Db, clientId: string, list: readonly Rescored[], reason: string): Promise<void> => {
  if (list.length === 0) return;
  const scored = list.map(({ id, priority }) => ({ id, ...priority }));
  await writePriorityReasons(db, { clientId, scored, reason });
  const values = list.map(({ id, exploit, priority: { priority }, exploitability }) => ({
    id,
    kev: exploit.kev !== undefined,
    epss: exploit.epss?.probability ?? null,
    priority,
    exploitability,
  }));
  await sql`
    update findings f set kev = c.kev, epss = c.epss, priority = c.priority,
      exploitability = case when f.exploitability is null then null else c.exploitability end
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
      c (id uuid, kev boolean, epss real, priority real, exploitability smallint)
    where f.client_id = ${clientId} and f.id = c.id and (
      (f.kev, f.epss, f.priority) is distinct from (c.kev, c.epss, c.priority) or f.exploitability <> c.exploitability)`.execute(
    db,
  );
};

/** Where the client's scoring stands, begun anew for newer data. Nothing where it is finished. */
const readCursor = async (
  db: Db,
  clientId: string,
  version: number,
): Promise<(RescoreState & { requests: number }) | undefined> => {
  const known = await rescoreState.lock(db, { clientId });
  if (known === undefined || known.state.version < version) {
    await rescoreState.request(db, { clientId }, { version, after: 0 });
  }
  const stored = await rescoreState.lock(db, { clientId });
  if (stored?.isDue !== true || stored.state.version !== version) return undefined;
  return { ...stored.state, requests: stored.requests };
};

/** One step: all of it or nothing. @returns false at the end. */
const rescoreBatch = (database: DatabaseHandle, clientId: string, reference: ReferenceData): Promise<boolean> =>
  database.forClient(clientId, async (db) => {
    await lockScoring(db, clientId);
    const cursor = await readCursor(db, clientId, reference.version);
    if (cursor === undefined) return false;
    const { requests, kevFound } = cursor;
    const definitions = await readDefinitions(db, clientId, cursor.after);
    const last = definitions.at(-1);
    if (last === undefined) {
      await rescoreState.finish(db, { clientId }, { requests, change: { kevFound: 0 } });
      await notifyNewlyListed(db, clientId, kevFound, reference.kevDate);
      return false;
    }
    const exploits = new Map(
      definitions.map((row): [number, Exploit] => [
        row.id,
        exploitFacts({ cve: row.cve ?? undefined, aliases: row.aliases, epss: reportedOf(row) }, reference),
      ]),
    );
    await writeDefinitions(db, clientId, exploits);
    const byId = new Map(definitions.map((row) => [row.id, row]));
    const findings = await readFindings(db, clientId, [...byId.keys()]);
    const { rules } = await readPriorityRules(runIn(db), clientId);
    const list = findings.flatMap((row) => {
      const [definition, exploit] = [byId.get(row.definition_id), exploits.get(row.definition_id)];
      return definition === undefined || exploit === undefined
        ? []
        : [rescored(row, definition, exploit, { reference, rules })];
    });
    const reason = `EPSS of ${reference.epssDate}, KEV of ${reference.kevDate}`;
    await writeFindings(db, clientId, list, reason);
    const listed = definitions.flatMap(({ id }) => (exploits.get(id)?.kev === undefined ? [] : [id]));
    const found = await countNewlyListed(db, clientId, listed);
    await rescoreState.save(db, { clientId }, { after: last.id, kevFound: kevFound + found });
    return true;
  });

/**
 * Brings the findings of a client to what the newest EPSS and KEV data says, step by step. A killed run goes on where it
 * stood; a second one at the same time waits for its steps. Ends early where newer data has come: that is a run of its own.
 */
export const rescoreClient = async (database: DatabaseHandle, clientId: string, signal: AbortSignal): Promise<void> => {
  const reference = await database.forClient(clientId, (db) =>
    loadReferenceData((statement) => sql.raw(statement).execute(db)),
  );
  if (reference.version === 0) return;
  while (await rescoreBatch(database, clientId, reference)) signal.throwIfAborted();
};

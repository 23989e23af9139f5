import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import type { FixFacts } from '../../findings/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import type { AiShare, RemediationAttributes } from '../api/routes.ts';
import type { ChangeKind } from '../model/states.ts';
import type { Remediation } from './remediation-store.ts';
import type { RemediationDeps } from './source-files.ts';
import { readTickets } from './tickets/ticket-result.ts';

export interface RemediationItem {
  _id: string;
  attributes: Static<typeof RemediationAttributes>;
}

const MAX_EVENTS = 50;

interface StoredEvent {
  at: Date;
  actor: string | null;
  kind: ChangeKind;
  from: string | null;
  to: string | null;
  detail: string | null;
}

const readHistory = async (db: Db, clientId: string, id: string) => {
  const { rows } = await sql<StoredEvent>`
    select e.at, u.username as actor, e.kind, e.from_value as "from", e.to_value as "to", e.detail
    from remediation_events e left join users u on u.client_id = e.client_id and u.id = e.actor
    where e.client_id = ${clientId} and e.remediation_id = ${id}
    order by e.at desc, e.id desc limit ${MAX_EVENTS}`.execute(db);
  return rows.map(({ at, ...rest }) => ({ at: at.toISOString(), ...rest }));
};

/** First part of an id: enough to tell branches of one repository apart. */
const SHORT = 8;

/** Branch of the fix by itself; of the next submission another one, since the branch of a closed request may still be there. */
export const ownBranchOf = ({ id, submission }: Pick<Remediation, 'id' | 'submission'>): string =>
  `breakwater/fix-${id.slice(-SHORT)}${submission === 1 ? '' : `-${submission}`}`;

/** Branch that holds the fix. */
export const fixBranchOf = (remediation: Remediation): string => remediation.fix_branch ?? ownBranchOf(remediation);

const REVISION_LENGTH = 16;

/** Another text after every change that an edit could overwrite. */
export const revisionOf = ({ title, description, code_diff }: Remediation): string =>
  createHash('sha256')
    .update(JSON.stringify([title, description, code_diff]))
    .digest('hex')
    .slice(0, REVISION_LENGTH);

const MICROS = 1_000_000;

/** What a model took, on the wire. */
export const aiShareOf = (row: {
  model: string;
  input_tokens: number | null;
  output_tokens: number | null;
  cost_micros: number | null;
}): Static<typeof AiShare> => ({
  model: row.model,
  input_tokens: row.input_tokens ?? 0,
  output_tokens: row.output_tokens ?? 0,
  cost_usd: row.cost_micros === null ? null : row.cost_micros / MICROS,
});

/** A remediation on the wire. */
export const remediationItem = async (
  db: Db,
  deps: Pick<RemediationDeps, 'catalogue'>,
  { remediation, facts }: { remediation: Remediation; facts: Pick<FixFacts, 'repository'> },
): Promise<RemediationItem> => {
  const { id, date, files, notes, ...row } = remediation;
  return {
    _id: id,
    attributes: {
      client_id: row.client_id,
      finding_id: row.finding_id,
      repository_id: row.repository_id,
      title: row.title,
      description: row.description,
      date: date.toISOString(),
      file_path: row.file_path,
      line: row.line,
      processing_status: row.processing_status,
      remediation_type: row.remediation_type,
      code_diff: row.code_diff,
      code_diff_original: row.code_diff_original,
      code_snippet: row.code_snippet,
      code_snippet_original: row.code_snippet_original,
      is_template: row.is_template,
      template: row.template,
      template_fields: row.template_fields,
      template_values: row.template_values,
      diff_parser: 'git',
      diff_format: 'unified',
      reference_url: row.reference_url,
      branch: row.branch,
      fix_branch: fixBranchOf(remediation),
      repository: facts.repository,
      number: row.number,
      files: files.map(({ path }) => path),
      is_edited: row.is_edited,
      revision: revisionOf(remediation),
      failure: row.failure,
      remarks: notes,
      settings: row.settings,
      ai: row.model === null ? null : { ...aiShareOf({ ...row, model: row.model }), repaired: row.ai_repaired },
      tickets: await readTickets(db, deps, remediation),
      history: await readHistory(db, row.client_id, id),
    },
  };
};

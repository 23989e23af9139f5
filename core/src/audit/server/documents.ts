import { auditLabel } from '../../platform/model/audit-kinds.ts';
import { csvCell } from '../../platform/model/csv-cell.ts';
import type { AuditFormat } from '../api/routes.ts';
import type { EntryRow } from './list-entries.ts';

type Entries = AsyncIterable<EntryRow[]>;

const COLUMNS = ['time', 'kind', 'what', 'who', 'who_id', 'as', 'address', 'agent', 'subject', 'details'] as const;

const csvLine = ({ at, kind, actor, actor_id, actor_type, address, agent, subject, details }: EntryRow): string => {
  const cells = [at.toISOString(), kind, auditLabel(kind), actor, actor_id, actor_type, address, agent, subject];
  return `${[...cells, JSON.stringify(details)].map(csvCell).join(',')}\r\n`;
};

async function* csv(entries: Entries): AsyncGenerator<string> {
  yield `${COLUMNS.join(',')}\r\n`;
  for await (const rows of entries) yield rows.map(csvLine).join('');
}

const jsonOf = ({ id, at, ...row }: EntryRow): string =>
  JSON.stringify({ _id: id, attributes: { at: at.toISOString(), ...row } });

async function* json(entries: Entries): AsyncGenerator<string> {
  let between = '{"data":[\n';
  for await (const rows of entries) {
    yield between + rows.map(jsonOf).join(',\n');
    between = ',\n';
  }
  yield between === ',\n' ? '\n]}\n' : '{"data":[]}\n';
}

/** How each format is written. */
export const DOCUMENTS: Readonly<
  Record<AuditFormat, { contentType: string; write: (entries: Entries) => AsyncGenerator<string> }>
> = {
  csv: { contentType: 'text/csv; charset=utf-8', write: csv },
  json: { contentType: 'application/json', write: json },
};

import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { fieldNames } from '../../model/reported-fields.ts';
import { columnsOf, createTable, type TemporaryTable } from './temporary-tables.ts';

/** Tables that COPY fills. Temporary ones also because row-level security refuses COPY. */
const STAGED = [
  ...([
    'stage_definitions',
    'stage_policies',
    'stage_files',
    'stage_findings',
    'stage_details',
    'stage_equal',
    'stage_moved',
  ] as const),
  ...(['stage_components', 'stage_refs', 'stage_edges'] as const),
] as const satisfies readonly TemporaryTable[];
export type StagingTable = (typeof STAGED)[number];

/** Ids of definitions and files are found by the merge; all other columns come with the report. */
export const copiedColumns = (table: TemporaryTable): string =>
  columnsOf(table)
    .filter((name) => name !== 'id' || !(table === 'stage_definitions' || table === 'stage_files'))
    .join(', ');

/** Long text is not compressed: it is read once more and then dropped. */
const UNCOMPRESSED = `alter table stage_details alter column description set storage external, alter column code set storage external,
  alter column code_flows set storage external, alter column locations set storage external`;

/** Characters that wait in memory before they are copied. Each batch costs a dozen round trips, between which a busy parser has its turns. */
const FLUSH_AT = 6_000_000;

const copyInto = async (client: pg.ClientBase, table: StagingTable, lines: readonly string[]): Promise<void> => {
  const stream = client.query(copyFrom(`copy ${table} (${copiedColumns(table)}) from stdin`));
  stream.end(`${lines.join('\n')}\n`);
  await finished(stream);
};

/** Lines of COPY text on their way to the staging tables. */
export interface StagingBuffers {
  put(table: StagingTable, line: string): void;
  /** True when enough waits to be worth a COPY. */
  isFull(): boolean;
  flush(): Promise<void>;
}

/** Creates the staging tables in the open transaction. @param movesDetailsOf the client whose long text is stored with each batch. */
export const createStagingBuffers = async (
  client: pg.ClientBase,
  movesDetailsOf: string | undefined,
): Promise<StagingBuffers> => {
  await client.query([...STAGED.map(createTable), UNCOMPRESSED].join(';\n'));
  const buffers = new Map<StagingTable, string[]>(STAGED.map((name) => [name, []]));
  let waiting = 0;
  return {
    put: (table, line) => {
      buffers.get(table)?.push(line);
      waiting += line.length;
    },
    isFull: () => waiting >= FLUSH_AT,
    flush: async () => {
      // taken at once: more may be put while this batch is on its way
      const batch = [...buffers].filter(([, lines]) => lines.length > 0);
      for (const [table] of batch) buffers.set(table, []);
      waiting = 0;
      for (const [table, lines] of batch) await copyInto(client, table, lines);
      if (movesDetailsOf !== undefined) await moveDetails(client, movesDetailsOf);
    },
  };
};

const DETAILS = fieldNames('finding_details');

/** Long text of staged findings goes where it stays. `where` is on `d`. */
const addDetails = (where: string): string => `
  insert into finding_details (client_id, finding_id, ${DETAILS.join(', ')})
  select $1, d.id, ${DETAILS.map((name) => `d.${name}`).join(', ')}
  from stage_details d${where}`;

export const ADD_DETAILS = addDetails(' where not exists (select 1 from pairs where pairs.n = d.n)');

/** Each batch at once, while the next is read: of a scope without findings every result is new. */
const ADD_ALL_DETAILS = addDetails('');

export const moveDetails = async (client: pg.ClientBase, clientId: string): Promise<void> => {
  await client.query(ADD_ALL_DETAILS, [clientId]);
  await client.query('truncate stage_details');
};

import type { Db } from '../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { readBoard, type StoredBoard, writeBoard } from '../api/board-routes.ts';
import { type Board, completeBoard, DEFAULT_BOARD } from '../model/board.ts';
import './tables.ts';

export const onWire = ({ cards, hidden }: Board): StoredBoard => ({ cards: [...cards], hidden: [...hidden] });

/** Reads dashboard_boards by client. */
export const readStoredBoard = async (db: Db, clientId: string): Promise<Board> => {
  const row = await db
    .selectFrom('dashboard_boards')
    .select(['cards', 'hidden'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row === undefined ? DEFAULT_BOARD : completeBoard(row);
};

/** How the dashboard of an organisation is arranged. */
export const boardEndpoints = (): Endpoint[] => [
  tenantEndpoint(readBoard)(async ({ db, caller }) => ({ data: onWire(await readStoredBoard(db, caller.clientId)) })),
  tenantEndpoint(writeBoard)(async ({ db, caller, body, audit }) => {
    audit({ subject: 'Dashboard' });
    const board = onWire(completeBoard(body));
    await db
      .insertInto('dashboard_boards')
      .values({ client_id: caller.clientId, ...board, updated_by: caller.userId })
      .onConflict((conflict) =>
        conflict.column('client_id').doUpdateSet({ ...board, updated_by: caller.userId, updated_at: new Date() }),
      )
      .execute();
    return { data: board };
  }),
];

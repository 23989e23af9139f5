import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { OneOf } from '../../platform/api/envelope.ts';
import { BOARD_CARDS } from '../model/board.ts';

const Cards = Type.Array(OneOf(BOARD_CARDS), { maxItems: BOARD_CARDS.length, uniqueItems: true });
const Body = Type.Object({ cards: Cards, hidden: Cards }, { additionalProperties: false });

export const StoredBoardAnswer = Type.Object({ data: Body });
export type StoredBoard = Static<typeof Body>;

/** Ours: which cards the dashboard of the organisation shows, and in which order. */
export const readBoard = route({
  method: 'GET',
  path: '/dashboard_board',
  tag: 'posture',
  summary: 'How the dashboard is arranged',
  access: { permission: 'findings.read', tenant: true },
  response: StoredBoardAnswer,
});

/** Ours: for everyone of the organisation. Cards that are left out come last. */
export const writeBoard = route({
  method: 'PUT',
  path: '/dashboard_board',
  tag: 'posture',
  summary: 'Arrange the dashboard of the organisation',
  access: { permission: 'settings.write', tenant: true },
  audit: 'settings.changed',
  body: Body,
  response: StoredBoardAnswer,
});

/** Cards of the dashboard, in the order that holds until somebody arranges them. */
export const BOARD_CARDS = [
  'severity',
  'repositories',
  'owners',
  'overdue',
  'age',
  'found',
  'timeToFix',
  'remediation',
  'owasp',
  'slsa',
  'cicd',
  'supplyChain',
] as const;
export type BoardCard = (typeof BOARD_CARDS)[number];

/** Findings that the dashboard names as those to fix first. */
export const TOP_ROWS = 5;

/** How an organisation arranges its dashboard: cards in their order, and those of them that nobody sees. */
export interface Board {
  cards: readonly BoardCard[];
  hidden: readonly BoardCard[];
}

export const DEFAULT_BOARD: Board = { cards: BOARD_CARDS, hidden: [] };

/** A board with every card once: cards that it does not know yet come last, in the order of the default. */
export const completeBoard = ({ cards, hidden }: Board): Board => {
  const known = [...new Set(cards)];
  return {
    cards: [...known, ...BOARD_CARDS.filter((card) => !known.includes(card))],
    hidden: BOARD_CARDS.filter((card) => hidden.includes(card)),
  };
};

/** Moves a card past its neighbour among those that show. At an end nothing changes. */
export const moveCard = (board: Board, card: BoardCard, step: -1 | 1): Board => {
  const cards = [...board.cards];
  const from = cards.indexOf(card);
  let to = from + step;
  for (let one = cards[to]; one !== undefined && board.hidden.includes(one); one = cards[to]) to += step;
  const neighbour = cards[to];
  if (from < 0 || neighbour === undefined) return board;
  cards[from] = neighbour;
  cards[to] = card;
  return { ...board, cards };
};

/** Hides a card that shows, and shows one that is hidden. */
export const toggleCard = ({ cards, hidden }: Board, card: BoardCard): Board => ({
  cards,
  hidden: hidden.includes(card) ? hidden.filter((one) => one !== card) : [...hidden, card],
});

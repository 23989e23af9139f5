import { expect, test } from 'vitest';
import { BOARD_CARDS, completeBoard, DEFAULT_BOARD, moveCard, toggleCard } from './board.ts';

test('a stored board keeps its order, names each card once, and gains the cards that it does not know', () => {
  const { cards, hidden } = completeBoard({ cards: ['owasp', 'age', 'owasp'], hidden: ['slsa', 'slsa'] });
  expect(cards.slice(0, 2)).toEqual(['owasp', 'age']);
  expect([...cards].sort()).toEqual([...BOARD_CARDS].sort());
  expect(hidden).toEqual(['slsa']);
});

test('a card moves past its neighbour, skips what is hidden, and stays at the ends', () => {
  const [first, second, third] = BOARD_CARDS;
  expect(moveCard(DEFAULT_BOARD, first, 1).cards.slice(0, 2)).toEqual([second, first]);
  expect(moveCard(DEFAULT_BOARD, first, -1)).toBe(DEFAULT_BOARD);
  const hiding = toggleCard(DEFAULT_BOARD, second);
  expect(moveCard(hiding, first, 1).cards.slice(0, 3)).toEqual([third, second, first]);
  expect(toggleCard(hiding, second)).toEqual(DEFAULT_BOARD);
});

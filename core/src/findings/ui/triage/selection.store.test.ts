import { expect, test } from 'vitest';
import { SelectionStore } from './selection.store.ts';

const GROUP = { filters: { component: ['stdlib'] }, search: '', count: 3 };

test('a group is picked as a whole, loses findings one by one, and is gone with the last', () => {
  const selection = new SelectionStore();
  selection.toggleGroup('stdlib', GROUP);
  expect([selection.count, selection.stateOf('stdlib', 3), selection.hasIn('a', 'stdlib')]).toEqual([3, 'all', true]);
  selection.toggleIn('a', 'stdlib');
  expect([selection.count, selection.stateOf('stdlib', 3), selection.hasIn('a', 'stdlib')]).toEqual([2, 'some', false]);
  selection.toggleIn('a', 'stdlib');
  expect(selection.stateOf('stdlib', 3)).toBe('all');
  for (const id of ['a', 'b', 'c']) selection.toggleIn(id, 'stdlib');
  expect([selection.isEmpty, selection.stateOf('stdlib', 3)]).toEqual([true, 'none']);
});

test('findings picked one by one make the box of their group half ticked, then ticked; the box then takes all of them back', () => {
  const selection = new SelectionStore();
  selection.toggleIn('a', 'stdlib');
  expect(selection.stateOf('stdlib', 3)).toBe('some');
  expect(selection.stateOf('express', 3)).toBe('none');
  selection.toggleIn('b', 'stdlib');
  selection.toggleIn('c', 'stdlib');
  expect(selection.stateOf('stdlib', 3)).toBe('all');
  selection.toggleGroup('stdlib', GROUP);
  expect(selection.isEmpty).toBe(true);
});

test('a group that is picked counts the findings once that were picked before it', () => {
  const selection = new SelectionStore();
  selection.toggleIn('a', 'stdlib');
  selection.toggleIn('x', 'express');
  selection.toggleGroup('stdlib', GROUP);
  expect([selection.count, [...selection.ids]]).toEqual([4, ['x']]);
  selection.dropGroups();
  expect(selection.isEmpty).toBe(true);
});

test('a range begins at the finding that was picked last, also where the list moved meanwhile or no longer holds it', () => {
  const selection = new SelectionStore();
  let rows = ['a', 'b', 'c', 'd', 'e'];
  const order = { idAt: (index: number) => rows[index], indexOf: (id: string) => rows.indexOf(id) };
  selection.toggle('b', 1);
  rows = ['new', ...rows];
  selection.extendTo(4, order);
  expect([...selection.ids]).toEqual(['b', 'c', 'd']);
  selection.clear();
  selection.toggle('b', 2);
  rows = ['new', 'a', 'c', 'd', 'e'];
  selection.extendTo(3, order);
  expect([...selection.ids]).toEqual(['b', 'c', 'd']);
  selection.clear();
  // nothing was picked: the range is one row, and the next begins there
  selection.extendTo(4, order);
  selection.extendTo(3, order);
  expect([...selection.ids]).toEqual(['e', 'd']);
});

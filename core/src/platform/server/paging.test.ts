import { expect, test } from 'vitest';
import { pageMeta, readPaging } from './paging.ts';

test('an empty query is the first page of 50', () => {
  expect(readPaging({})).toEqual({ page: 1, pageSize: 50, all: false, offset: 0 });
});

test('bracketed and flat names mean the same, and the bracketed win', () => {
  const wanted = { page: 3, pageSize: 20, all: false, offset: 40 };
  expect(readPaging({ pagination: { page: 3, pageSize: 20 } })).toEqual(wanted);
  expect(readPaging({ pagination_page: 3, pagination_pageSize: 20 })).toEqual(wanted);
  expect(readPaging({ page: 3, pagination_pageSize: 20 })).toEqual(wanted);
  expect(readPaging({ page: 9, pagination_page: 8, pagination: { page: 3, pageSize: 20 } })).toEqual(wanted);
});

test('pagination=false asks for one page of at most 10,000', () => {
  expect(readPaging({ pagination: 'false' })).toEqual({ page: 1, pageSize: 10_000, all: true, offset: 0 });
});

test('the meta counts pages, and an empty list has none', () => {
  const paging = readPaging({ page: 2, pagination_pageSize: 20 });
  expect(pageMeta(41, paging)).toEqual({ pagination: { page: 2, pageSize: 20, pageCount: 3, total: 41 } });
  expect(pageMeta(0, paging).pagination.pageCount).toBe(0);
});

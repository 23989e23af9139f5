/** Rows on a page when the caller does not say. */
const DEFAULT_PAGE_SIZE = 50;

/** The most that `pagination=false` returns. Source: decisions.md "Envelopes". */
export const MAX_ROWS_WITHOUT_PAGES = 10_000;

/** The paging part of a validated query: bracketed names, flat names, or `pagination=false`. */
export interface PagingQuery {
  pagination?: 'false' | { page?: number; pageSize?: number };
  pagination_page?: number;
  pagination_pageSize?: number;
  page?: number;
}

/** Which rows of a list are wanted. */
export interface Paging {
  /** 1-based. */
  page: number;
  pageSize: number;
  /** All rows were asked for: one page of at most 10,000. */
  all: boolean;
  /** Rows to skip. */
  offset: number;
}

/** Reads the paging of a query. Bracketed names win over flat ones. Source: decisions.md "Envelopes". */
export const readPaging = (query: PagingQuery): Paging => {
  if (query.pagination === 'false') return { page: 1, pageSize: MAX_ROWS_WITHOUT_PAGES, all: true, offset: 0 };
  const page = query.pagination?.page ?? query.pagination_page ?? query.page ?? 1;
  const pageSize = query.pagination?.pageSize ?? query.pagination_pageSize ?? DEFAULT_PAGE_SIZE;
  return { page, pageSize, all: false, offset: (page - 1) * pageSize };
};

export interface PageMeta {
  pagination: { page: number; pageSize: number; pageCount: number; total: number };
}

/** The `meta` of a list answer. */
export const pageMeta = (total: number, { page, pageSize }: Paging): PageMeta => ({
  pagination: { page, pageSize, pageCount: Math.ceil(total / pageSize), total },
});

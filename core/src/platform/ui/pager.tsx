import { Button } from '@blueprintjs/core';
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons';
import { formatNumber } from './number-format.ts';

export interface PagerProps {
  /** 0-based. */
  page: number;
  pageSize: number;
  total: number;
  onPage: (page: number) => void;
}

/** "1-50 of 840" with previous and next; nothing while one page holds all. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  if (total <= pageSize && page === 0) return null;
  const first = page * pageSize + 1;
  const last = Math.min(total, first + pageSize - 1);
  return (
    <nav className="row pager" aria-label="Pages">
      <span className="muted small tn">
        {formatNumber(first)}–{formatNumber(last)} of {formatNumber(total)}
      </span>
      <Button
        size="small"
        icon={<ChevronLeft />}
        aria-label="Previous page"
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={<ChevronRight />}
        aria-label="Next page"
        disabled={last >= total}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}

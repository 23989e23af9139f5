import { Button } from '@blueprintjs/core';
import { ChevronLeft, ChevronRight, SmallCross } from '@blueprintjs/icons';
import type { ReactNode } from 'react';
import { t } from '../language/translate.ts';

interface PageHeadProps {
  title: string;
  /** Count, view or one muted line right of the title. */
  aside?: ReactNode;
  /** Actions at the right, the primary one last. */
  children?: ReactNode;
}

/** Head of a page: 56 high, one h1. */
export function PageHead({ title, aside, children }: PageHeadProps) {
  return (
    <div className="phead">
      <h1>{title}</h1>
      {aside}
      <span className="grow" />
      {children}
    </div>
  );
}

interface PagerProps {
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
    <nav className="row pager" aria-label={t('Pages')}>
      <span className="muted small tn">{t('{first}–{last} of {total}', { first, last, total })}</span>
      <Button
        size="small"
        icon={<ChevronLeft />}
        aria-label={t('Previous page')}
        disabled={page === 0}
        onClick={() => onPage(page - 1)}
      />
      <Button
        size="small"
        icon={<ChevronRight />}
        aria-label={t('Next page')}
        disabled={last >= total}
        onClick={() => onPage(page + 1)}
      />
    </nav>
  );
}

interface FilterChipProps {
  /** Empty where the value says it all. */
  label: string;
  value: string;
  onRemove: () => void;
}

/** One active filter: "Severity **critical, high**" with its own way out. */
export function FilterChip({ label, value, onRemove }: FilterChipProps) {
  return (
    <span className="chip">
      {label !== '' && `${label} `}
      <b>{value}</b>
      <button
        type="button"
        aria-label={t('Remove filter {label}', { label: `${label} ${value}`.trim() })}
        onClick={onRemove}
      >
        <SmallCross size={16} aria-hidden={true} />
      </button>
    </span>
  );
}

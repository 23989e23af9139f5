import { useEffect, useState } from 'react';
import { t } from '../language/translate.ts';

/** A load that is faster than this shows no skeleton: it would only flicker. */
const SKELETON_DELAY_MS = 100;

/** False for the first 100 ms, then true. */
export function useDelayed(delayMs = SKELETON_DELAY_MS): boolean {
  const [isDue, setIsDue] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsDue(true), delayMs);
    return () => clearTimeout(timer);
  }, [delayMs]);
  return isDue;
}

export interface SkeletonProps {
  /** CSS width: `60%`, `120px`. */
  width?: string;
  height?: number;
}

/** One grey bar in the place of a text. */
export function Skeleton({ width = '100%', height = 10 }: SkeletonProps) {
  return <span className="sk" style={{ width, height }} />;
}

const WIDTHS = ['72%', '54%', '63%', '48%', '80%'];

export interface SkeletonRowsProps {
  rows: number;
  /** Height of the real rows: 36 dense, 52 comfortable. */
  rowHeight: number;
  /** What is being read, for assistive technology: "Findings". */
  label: string;
}

/** Rows of the real height while a list loads. */
export function SkeletonRows({ rows, rowHeight, label }: SkeletonRowsProps) {
  const isDue = useDelayed();
  return (
    <div className="sk-rows" role="status" aria-label={t('{label} are being read', { label })}>
      {isDue &&
        Array.from({ length: rows }, (_, index) => index).map((row) => (
          <div className="sk-row" key={row} style={{ height: rowHeight }}>
            <Skeleton width="16px" />
            <Skeleton width="28px" />
            <Skeleton width="64px" />
            <span className="grow">
              <Skeleton width={WIDTHS[row % WIDTHS.length] ?? '60%'} />
            </span>
          </div>
        ))}
    </div>
  );
}

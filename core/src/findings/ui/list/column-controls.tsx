import { Button } from '@blueprintjs/core';
import { ColumnLayout } from '@blueprintjs/icons';
import { type KeyboardEvent, lazy, type PointerEvent, Suspense, useRef } from 'react';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { COLUMN_WIDTH } from '../../model/column-catalogue.ts';
import type { FindingColumn, FindingColumns } from './finding-columns.ts';

const STEP_PX = 16;

interface ColumnGripProps {
  columns: Pick<FindingColumns, 'resize'>;
  column: FindingColumn;
}

/** The right edge of a header: dragged, or moved by the arrow keys; a double click or Delete gives the usual width back. */
export function ColumnGrip({ columns, column }: ColumnGripProps) {
  const grip = useRef<HTMLDivElement>(null);
  const start = useRef<{ x: number; width: number }>(undefined);
  const widthNow = () => Math.round(grip.current?.closest('th')?.getBoundingClientRect().width ?? column.minWidth);
  const handleMove = (event: PointerEvent<HTMLElement>) => {
    if (start.current === undefined) return;
    columns.resize(column.key, start.current.width + event.clientX - start.current.x);
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -STEP_PX, ArrowRight: STEP_PX }[event.key];
    if (step !== undefined) columns.resize(column.key, widthNow() + step);
    else if (event.key === 'Delete') columns.resize(column.key, undefined);
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a movable edge is a focusable separator (WAI-ARIA window splitter)
    <div
      ref={grip}
      className="column-grip"
      role="separator"
      tabIndex={0}
      aria-label={t('Width of {column}', { column: column.label })}
      aria-orientation="vertical"
      aria-valuenow={column.minWidth}
      aria-valuemin={COLUMN_WIDTH.min}
      aria-valuemax={COLUMN_WIDTH.max}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, width: widthNow() };
      }}
      onPointerMove={handleMove}
      onLostPointerCapture={() => {
        start.current = undefined;
      }}
      onDoubleClick={() => columns.resize(column.key, undefined)}
      onKeyDown={handleKey}
    />
  );
}

const LazyList = lazy(async () => ({ default: (await import('./column-list.tsx')).ColumnList }));

/** Chooses what the list shows and in which order. */
export function ColumnMenu({ columns }: { columns: FindingColumns }) {
  return (
    <span className="only-l">
      <Popup
        content={
          <Suspense fallback={null}>
            <LazyList columns={columns} />
          </Suspense>
        }
        kind="dialog"
      >
        <Button icon={<ColumnLayout />} text={t('Columns')} />
      </Popup>
    </span>
  );
}

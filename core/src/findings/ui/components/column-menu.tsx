import { Button, PopoverNext, PopupKind } from '@blueprintjs/core';
import { ColumnLayout } from '@blueprintjs/icons';
import { lazy, Suspense } from 'react';
import type { FindingColumns } from '../finding-columns.ts';

const LazyList = lazy(async () => ({ default: (await import('./column-list.tsx')).ColumnList }));

/** Chooses what the list shows and in which order. */
export function ColumnMenu({ columns }: { columns: FindingColumns }) {
  return (
    <span className="only-l">
      <PopoverNext
        content={
          <Suspense fallback={null}>
            <LazyList columns={columns} />
          </Suspense>
        }
        placement="bottom-end"
        arrow={false}
        animation="minimal"
        popupKind={PopupKind.DIALOG}
      >
        <Button icon={<ColumnLayout />} text="Columns" />
      </PopoverNext>
    </span>
  );
}

import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { Cell, Column, ColumnHeaderCell, RenderMode, Table } from '@blueprintjs/table';
import { observer } from 'mobx-react-lite';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { inSentence, t } from '../../../platform/ui/language/translate.ts';
import { useDensity } from '../../../platform/ui/page/density.ts';
import type { OnView } from '../../../platform/ui/page/use-address-view.ts';
import { type ComponentColumn, componentColumns } from './component-cells.tsx';
import { type ComponentView, sortedBy } from './component-view.ts';
import type { ComponentsStore } from './components.store.ts';
import '@blueprintjs/table/lib/css/table.css';

const ROW_PX = 36;
const COMPACT_ROW_PX = 28;
const HEAD_PX = 32;
const LEAST_FLEXIBLE_PX = 110;

const isFixed = ({ weight }: ComponentColumn): boolean => weight > 20;
const sumOf = (some: readonly ComponentColumn[]): number => some.reduce((sum, { weight }) => sum + weight, 0);

/** Columns with a small weight share what the fixed ones leave; who would get too little has the least, and the others share the rest. */
export const columnWidths = (columns: readonly ComponentColumn[], totalPx: number): number[] => {
  const flexible = columns.filter((column) => !isFixed(column));
  const leftPx = totalPx - sumOf(columns.filter(isFixed));
  const least = flexible.filter(({ weight }) => (leftPx / sumOf(flexible)) * weight < LEAST_FLEXIBLE_PX);
  const others = flexible.filter((column) => !least.includes(column));
  const sharePx = (leftPx - least.length * LEAST_FLEXIBLE_PX) / Math.max(1, sumOf(others));
  return columns.map((column) =>
    isFixed(column) ? column.weight : Math.max(LEAST_FLEXIBLE_PX, Math.floor(sharePx * column.weight)),
  );
};

const useWidth = (ref: RefObject<HTMLElement | null>): number => {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, [ref]);
  return width;
};

interface HeaderProps {
  column: ComponentColumn;
  view: ComponentView;
  onView: OnView<ComponentView>;
}

function HeaderName({ column, view, onView }: HeaderProps) {
  const { sortField } = column;
  if (sortField === undefined) return <span>{t(column.label)}</span>;
  const isSorted = view.sortField === sortField;
  const sorted = view.sort === 'asc' ? msg('{column}, sorted ascending') : msg('{column}, sorted descending');
  return (
    <button
      type="button"
      className="th-s"
      aria-label={
        isSorted ? t(sorted, { column: t(column.label) }) : t('Sort by {column}', { column: inSentence(column.label) })
      }
      onClick={() => onView(sortedBy(view, sortField))}
    >
      {t(column.label)}
      {isSorted && (view.sort === 'asc' ? <ArrowUp size={12} /> : <ArrowDown size={12} />)}
    </button>
  );
}

export interface ComponentTableProps {
  store: ComponentsStore;
  onView: OnView<ComponentView>;
}

/** The inventory as Blueprint's table: only cells in sight are drawn. */
export const ComponentTable = observer(function ComponentTable({ store, onView }: ComponentTableProps) {
  const boxRef = useRef<HTMLDivElement>(null);
  const width = useWidth(boxRef);
  const { list, view } = store;
  const columns = componentColumns(store.isLookupOn);
  const seen = useRef({ from: 0, to: 0 });
  const { generation } = list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a reading anew what is in sight is asked for again
  useEffect(() => list.ensure(seen.current.from, seen.current.to), [list, generation]);
  const count = list.total ?? 0;
  // Blueprint draws cells outside of this component's observation: what they show is named here.
  const drawn = [[...list.pages.keys()].join(), list.total, view, list.pages.get(0)];
  const rowPx = useDensity() === 'compact' ? COMPACT_ROW_PX : ROW_PX;
  const renderCell = (column: ComponentColumn) => (rowIndex: number) => {
    const item = list.rowAt(rowIndex);
    if (item === undefined) return <Cell loading />;
    return (
      <Cell interactive truncated={false} tooltip={column.text(item)} className={`cell-${column.key}`}>
        {/* biome-ignore lint/complexity/noUselessFragments: a cell takes elements only, not texts */}
        <>{column.cell(item)}</>
      </Cell>
    );
  };
  return (
    <div className="component-table" ref={boxRef}>
      {width > 0 && (
        <Table
          numRows={count}
          key={`${rowPx} ${columns.length}`}
          defaultRowHeight={rowPx}
          minRowHeight={rowPx}
          columnWidths={columnWidths(columns, width)}
          enableRowHeader={false}
          enableRowResizing={false}
          enableColumnResizing={false}
          enableMultipleSelection={false}
          selectionModes={[]}
          renderMode={RenderMode.NONE}
          cellRendererDependencies={drawn}
          onVisibleCellsChange={({ rowIndexStart, rowIndexEnd }) => {
            seen.current = { from: rowIndexStart, to: rowIndexEnd };
            list.ensure(rowIndexStart, rowIndexEnd);
          }}
        >
          {columns.map((column) => (
            <Column
              key={column.key}
              id={column.key}
              name={t(column.label)}
              cellRenderer={renderCell(column)}
              columnHeaderCellRenderer={() => (
                <ColumnHeaderCell
                  style={{ height: HEAD_PX }}
                  nameRenderer={() => <HeaderName column={column} view={view} onView={onView} />}
                />
              )}
            />
          ))}
        </Table>
      )}
    </div>
  );
});

import { ArrowDown, ArrowUp } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type CSSProperties, memo, useEffect, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { useDensity } from '../../../platform/ui/page/density.ts';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import type { ColumnKey } from '../../model/column-catalogue.ts';
import { readSame } from '../../model/finding-headline.ts';
import type { FindingView } from '../data/finding-view.ts';
import { type FindingItem, type FindingsStore, PAGE_SIZE } from '../data/findings.store.ts';
import { useFindingsList } from '../triage/findings-context.ts';
import { useCursorFocus, useKeptFocus } from '../triage/kept-focus.ts';
import { ColumnGrip } from './column-controls.tsx';
import { findingCell, SELECT_TRACK, SelectCell, SelectHead } from './finding-cells.tsx';
import type { FindingColumn, FindingColumns } from './finding-columns.ts';
import { type PlacedRow, useKeptScroll, useScaledRows } from './scaled-rows.ts';

const HEAD_PX = 32;
export const ROW_PX = 52;
/** Title and place without air around them. */
const COMPACT_ROW_PX = 40;
const BLOCK_PX = 84;

interface HeaderProps {
  columns: readonly FindingColumn[];
  widths: Pick<FindingColumns, 'resize'>;
  view: FindingView;
  onView: (view: FindingView) => void;
  isSelectable: boolean;
}

const sortState = (column: FindingColumn, view: FindingView): 'ascending' | 'descending' | undefined => {
  if (column.sortField === undefined || column.sortField !== view.sortField) return undefined;
  return view.sort === 'asc' ? 'ascending' : 'descending';
};

/** Next view after a click on a header: first its natural order, then the other way round. */
const sortedBy = (column: FindingColumn, view: FindingView): FindingView => {
  const { sortField, firstSort } = column;
  if (sortField === undefined) return view;
  if (view.sortField !== sortField) return { ...view, sortField, sort: firstSort };
  return { ...view, sort: view.sort === 'desc' ? 'asc' : 'desc' };
};

function TableHeader({ columns, widths, view, onView, isSelectable }: HeaderProps) {
  return (
    <thead>
      <tr className="ft-head">
        {isSelectable && <SelectHead />}
        {columns.map((column) => {
          const state = sortState(column, view);
          return (
            <th
              key={column.key}
              aria-label={column.label}
              aria-sort={state}
              className={column.isNumber ? 'num' : undefined}
            >
              {column.sortField === undefined ? (
                column.label
              ) : (
                <button type="button" onClick={() => onView(sortedBy(column, view))}>
                  {column.label}
                  {state === 'descending' && <ArrowDown size={12} />}
                  {state === 'ascending' && <ArrowUp size={12} />}
                </button>
              )}
              <ColumnGrip columns={widths} column={column} />
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface RowProps {
  item: FindingItem | undefined;
  index: number;
  top: number;
  columns: readonly FindingColumn[];
  href: (id: string) => string;
  isCurrent: boolean;
  isSelectable: boolean;
  /** The row before or after reads the same but for its column. */
  hasTwin: boolean;
  /** Rows of samples stand among others. */
  hasSamples: boolean;
}

const hasTwinAt = ({ list }: FindingsStore, index: number): boolean => {
  const own = list.rowAt(index)?.attributes;
  return [index - 1, index + 1].some((at) => readSame(own, list.rowAt(at)?.attributes));
};

const isOnControl = (target: EventTarget): boolean =>
  target instanceof Element && target.closest('a, button, label, .bp6-popover') !== null;

/** A row whose page has not come yet keeps its height. */
function WaitingRow({ index, top }: Pick<RowProps, 'index' | 'top'>) {
  return (
    <tr className="ft-row is-waiting" aria-rowindex={index + 2} style={{ top }}>
      <td>
        <span className="sr">{t('Row {row} is being read', { row: String(index + 1) })}</span>
        <span className="sk" style={{ width: `${40 + (index % 5) * 8}%` }} />
      </td>
    </tr>
  );
}

/** Rows of a list that is thrown: the same few elements fly along, and nothing is read for them. */
function FlyingRows({ rows }: { rows: readonly PlacedRow[] }) {
  const first = rows.at(0)?.index ?? 0;
  return rows.map(({ index, top }) => <WaitingRow key={index - first} index={index} top={top} />);
}

const FindingRow = memo(function FindingRow(props: RowProps) {
  const { item, index, top, columns, href, isCurrent, isSelectable, hasTwin, hasSamples } = props;
  const navigate = useNavigate();
  if (item === undefined) return <WaitingRow index={index} top={top} />;
  const to = href(item._id);
  const isShown = (key: ColumnKey) => columns.some((column) => column.key === key);
  const marks = { hasSignals: !isShown('signals'), hasState: !isShown('status'), hasTwin, hasSamples };
  const shape = { ...marks, isTight: columns.length < 5 };
  return (
    <tr
      className={isCurrent ? 'ft-row is-current' : 'ft-row'}
      aria-rowindex={index + 2}
      aria-current={isCurrent ? 'true' : undefined}
      style={{ top }}
      onClick={(event) => {
        if (!isOnControl(event.target) && (window.getSelection()?.toString() ?? '') === '') navigate(to);
      }}
    >
      {isSelectable && <SelectCell id={item._id} index={index} title={item.attributes.title} />}
      {columns.map((column) => (
        <td key={column.key} className={`ft-${column.key}${column.isNumber ? ' num' : ''}`}>
          {findingCell(column.key, { item, href: to, ...shape })}
        </td>
      ))}
    </tr>
  );
});

export interface FindingsTableProps {
  store: FindingsStore;
  columns: readonly FindingColumn[];
  /** Takes what somebody resizes. */
  widths: Pick<FindingColumns, 'resize'>;
  href: (id: string) => string;
  onView: (view: FindingView) => void;
  /** Row the keyboard moved to last, and how often it moved. */
  cursor: { index: number; move: number } | undefined;
}

interface TableStyle extends CSSProperties {
  '--ft-columns': string;
  '--ft-min': string;
  '--ft-row': string;
  '--ft-shift': string;
}

interface TableShape {
  columns: readonly FindingColumn[];
  rowHeight: number;
  shiftPx: number;
  isSelectable: boolean;
}

const tableStyle = ({ columns, rowHeight, shiftPx, isSelectable }: TableShape): TableStyle => ({
  '--ft-columns': [...(isSelectable ? [SELECT_TRACK] : []), ...columns.map((column) => column.track)].join(' '),
  '--ft-min': `${columns.reduce((sum, column) => sum + column.minWidth, 0) + (isSelectable ? 64 : 32)}px`,
  '--ft-row': `${rowHeight}px`,
  '--ft-shift': `${shiftPx}px`,
});

const useRowHeight = (): number => {
  const ofTable = useDensity() === 'compact' ? COMPACT_ROW_PX : ROW_PX;
  return useIsNarrow() ? BLOCK_PX : ofTable;
};

/** The list: only the rows in sight are in the document. */
export const FindingsTable = observer(function FindingsTable(props: FindingsTableProps) {
  const { store, columns, widths, href, onView, cursor } = props;
  const { mayDecide, mayFix, triage } = useFindingsList();
  const isSelectable = mayDecide || mayFix;
  const scrollRef = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight();
  const count = store.list.length;
  const scaled = useScaledRows({ count, rowHeight, scrollRef, headPx: HEAD_PX });
  const { rows, heightPx, shiftPx, isFlung, scrollToIndex } = scaled;
  const first = rows.at(0)?.index ?? 0;
  const last = rows.at(-1)?.index ?? PAGE_SIZE - 1;
  const { generation } = store.list;
  // biome-ignore lint/correctness/useExhaustiveDependencies: after a reading anew what is in sight is asked for again
  useEffect(() => {
    if (count > 0 && !isFlung) store.list.ensure(first, last);
  }, [store, first, last, count, generation, isFlung]);
  const { pathname, search } = useLocation();
  useKeptScroll(scrollRef, pathname + search, store.total !== undefined && !store.list.isSkeletonDue);
  useCursorFocus(cursor, scrollRef, scrollToIndex);
  const keepFocus = useKeptFocus(store, scrollRef, triage.asking !== undefined);
  return (
    <div
      className={isSelectable ? 'ft-scroll has-select' : 'ft-scroll'}
      ref={scrollRef}
      style={tableStyle({ columns, rowHeight, shiftPx, isSelectable })}
    >
      <table
        className={shiftPx === 0 ? 'ft' : 'ft is-squeezed'}
        aria-label={t('Findings')}
        aria-rowcount={store.total === undefined ? -1 : count + 1}
        onFocus={keepFocus}
        onBlur={keepFocus}
      >
        <TableHeader columns={columns} widths={widths} view={store.view} onView={onView} isSelectable={isSelectable} />
        <tbody className="ft-body" style={{ height: store.list.isSkeletonDue ? 0 : heightPx }}>
          {isFlung && !store.list.isSkeletonDue && <FlyingRows rows={rows} />}
          {!isFlung &&
            !store.list.isSkeletonDue &&
            rows.map(({ index, top }) => {
              const item = store.list.rowAt(index);
              const isCurrent = item !== undefined && item._id === store.currentId;
              return (
                <FindingRow
                  key={index}
                  {...{ item, index, top, columns, href, isCurrent }}
                  hasTwin={hasTwinAt(store, index)}
                  hasSamples={store.hasMixedSamples}
                  isSelectable={isSelectable}
                />
              );
            })}
        </tbody>
      </table>
      {store.list.isSkeletonDue && <SkeletonRows rows={8} rowHeight={rowHeight} label={t('Findings')} />}
    </div>
  );
});

import { Button, Checkbox } from '@blueprintjs/core';
import { DragHandleVertical } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, useState } from 'react';
import { t } from '../../../platform/ui/language/translate.ts';
import type { ColumnKey } from '../../model/column-catalogue.ts';
import type { FindingColumn, FindingColumns } from './finding-columns.ts';

interface ColumnLineProps {
  columns: FindingColumns;
  column: FindingColumn;
  /** Place among the shown columns; -1 for a hidden one. */
  place: number;
  /** Chosen, and out of sight while every row says the same. */
  isQuiet: boolean;
  dragged: ColumnKey | undefined;
  onDrag: (key: ColumnKey | undefined) => void;
}

/** One column: shown or not, and where. Dragged by its handle, or moved by the arrow keys on it. */
function ColumnLine({ columns, column, place, isQuiet, dragged, onDrag }: ColumnLineProps) {
  const isShown = place >= 0;
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowUp: -1, ArrowDown: 1, Home: -100, End: 100 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    columns.move(column.key, place + step);
  };
  return (
    <li
      className={dragged === column.key ? 'column-line is-dragged' : 'column-line'}
      draggable={isShown}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', column.label);
        onDrag(column.key);
      }}
      onDragEnd={() => onDrag(undefined)}
      onDragOver={(event) => {
        if (dragged === undefined || !isShown) return;
        event.preventDefault();
        columns.move(dragged, place);
      }}
      onDrop={(event) => event.preventDefault()}
    >
      <Checkbox checked={isShown} disabled={columns.isFixed(column.key)} onChange={() => columns.toggle(column.key)}>
        {column.label}
        {isQuiet && <span className="muted small"> {t('the same in every row')}</span>}
      </Checkbox>
      {isShown && (
        <Button
          variant="minimal"
          size="small"
          icon={<DragHandleVertical />}
          aria-label={t('Move {column}, column {place} of {all}: arrow up and down', {
            column: column.label,
            place: place + 1,
            all: columns.keys.length,
          })}
          onKeyDown={handleKey}
        />
      )}
    </li>
  );
}

/** Every column, the shown ones first and in their order. */
export const ColumnList = observer(function ColumnList({ columns }: { columns: FindingColumns }) {
  const [dragged, setDragged] = useState<ColumnKey>();
  const quiet = columns.quiet.map(({ key }) => key);
  return (
    <div className="column-menu">
      <ul aria-label={t('Columns of the list')}>
        {columns.choices.map((column) => (
          <ColumnLine
            key={column.key}
            columns={columns}
            column={column}
            place={columns.keys.indexOf(column.key)}
            isQuiet={quiet.includes(column.key)}
            dragged={dragged}
            onDrag={setDragged}
          />
        ))}
      </ul>
      <footer>
        <Button variant="minimal" text={t('Default columns')} disabled={columns.isDefault} onClick={columns.reset} />
      </footer>
    </div>
  );
});

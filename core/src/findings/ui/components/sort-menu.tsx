import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core';
import { SortDesc, Tick } from '@blueprintjs/icons';
import type { FindingView, SortField, SortOrder } from '../finding-view.ts';

const CHOICES: readonly { field: SortField; order: SortOrder; text: string }[] = [
  { field: 'priority', order: 'desc', text: 'Priority, highest first' },
  { field: 'severity', order: 'desc', text: 'Severity, worst first' },
  { field: 'estimated_epss', order: 'desc', text: 'EPSS, highest first' },
  { field: 'cvssv3_score', order: 'desc', text: 'CVSS, highest first' },
  { field: 'date', order: 'desc', text: 'Newest first' },
  { field: 'date', order: 'asc', text: 'Oldest first' },
];

export interface SortMenuProps {
  view: FindingView;
  onView: (view: FindingView) => void;
}

/** Sorting where there is no header to click: on a phone. */
export function SortMenu({ view, onView }: SortMenuProps) {
  const current = CHOICES.find((choice) => choice.field === view.sortField && choice.order === view.sort);
  const label = `Sort: ${current?.text ?? 'custom'}`;
  const menu = (
    <Menu>
      {CHOICES.map((choice) => (
        <MenuItem
          key={choice.text}
          text={choice.text}
          labelElement={choice === current ? <Tick /> : undefined}
          onClick={() => onView({ ...view, sortField: choice.field, sort: choice.order })}
        />
      ))}
    </Menu>
  );
  return (
    <PopoverNext content={menu} placement="bottom-end" arrow={false} animation="minimal">
      <Button variant="minimal" icon={<SortDesc />} aria-label={label} title={label} />
    </PopoverNext>
  );
}

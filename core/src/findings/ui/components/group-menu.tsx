import { HTMLSelect } from '@blueprintjs/core';
import { GROUP_KEYS } from '../../model/group-filters.ts';
import type { FindingView } from '../finding-view.ts';

const WORDS = { vulnerability: 'Vulnerability', component: 'Component', file: 'File', rule: 'Rule' } as const;

export interface GroupMenuProps {
  view: FindingView;
  onView: (view: FindingView) => void;
}

/** What the list is put together by. */
export function GroupMenu({ view, onView }: GroupMenuProps) {
  return (
    <HTMLSelect
      className="group-menu"
      aria-label="Group by"
      value={view.groupBy ?? ''}
      onChange={(event) => {
        const groupBy = GROUP_KEYS.find((key) => key === event.currentTarget.value);
        onView({ ...view, groupBy });
      }}
    >
      <option value="">No grouping</option>
      {GROUP_KEYS.map((key) => (
        <option key={key} value={key}>
          Group by {WORDS[key].toLowerCase()}
        </option>
      ))}
    </HTMLSelect>
  );
}

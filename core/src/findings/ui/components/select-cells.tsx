import { observer } from 'mobx-react-lite';
import { PAGE_SIZE } from '../findings.store.ts';
import { useFindingsList } from '../findings-context.ts';

/** Width of the column of checkboxes. */
export const SELECT_TRACK = '32px';

interface SelectCellProps {
  id: string;
  index: number;
  title: string;
}

/** Picks a row; with Shift everything from the last picked one on. */
export const SelectCell = observer(function SelectCell({ id, index, title }: SelectCellProps) {
  const { selection, store } = useFindingsList();
  return (
    <td className="ft-select">
      <label>
        <input
          type="checkbox"
          aria-label={`Select ${title}`}
          checked={selection.has(id)}
          onChange={(event) => {
            const native = event.nativeEvent;
            const isRange = 'shiftKey' in native && native.shiftKey === true;
            if (isRange) selection.extendTo(index, (at) => store.list.rowAt(at)?._id);
            else selection.toggle(id, index);
          }}
        />
      </label>
    </td>
  );
});

/** Picks what is loaded of the first page, or drops the selection. */
export const SelectHead = observer(function SelectHead() {
  const { selection, store } = useFindingsList();
  const loaded = Math.min(store.list.length, PAGE_SIZE);
  const idsLoaded = () =>
    Array.from({ length: loaded }, (_, index) => store.list.rowAt(index)?._id).filter((id) => id !== undefined);
  return (
    <th className="ft-select">
      <label>
        <input
          type="checkbox"
          aria-label="Select the first rows, or none"
          checked={!selection.isEmpty}
          onChange={() => (selection.isEmpty ? selection.pick(idsLoaded()) : selection.clear())}
        />
      </label>
    </th>
  );
});

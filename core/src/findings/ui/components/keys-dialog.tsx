import { DialogBox } from '../../../platform/ui/dialog-box.tsx';
import { LIST_KEYS } from '../keys.ts';

export interface KeysDialogProps {
  mayDecide: boolean;
  isReadOnly: boolean;
  onClose: () => void;
}

/** Every key of the list. */
export function KeysDialog({ mayDecide, isReadOnly, onClose }: KeysDialogProps) {
  const keys = LIST_KEYS.filter(
    (key) => (mayDecide || key.isForDeciders === undefined) && !(isReadOnly && key.isAct === true),
  );
  return (
    <DialogBox className="dialog" isOpen={true} onClose={onClose} title="Keys">
      <dl className="keys">
        {keys.map(({ keys: names, does }) => (
          <div key={does}>
            <dt>
              {names.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p className="muted small keys-note">None of them acts while you type or while a dialog is open.</p>
    </DialogBox>
  );
}

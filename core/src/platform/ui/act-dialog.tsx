import { Button } from '@blueprintjs/core';
import { type FormEvent, type ReactNode, useId } from 'react';
import { DialogBox } from './dialog-box.tsx';

export interface ActDialogProps {
  isOpen: boolean;
  /** The act with its number: "Mark 13 findings false positive". */
  title: string;
  /** What follows from it, in a sentence. */
  consequence?: ReactNode;
  /** Fields; give the first one `autoFocus`. */
  children?: ReactNode;
  /** The verb again: "Mark false positive". */
  actLabel: string;
  isDestructive?: boolean;
  isBusy?: boolean;
  /** False while something is missing that `actLabel` names. */
  canAct?: boolean;
  onAct: () => void;
  onClose: () => void;
}

/** A decision: 440 wide, one filled button. Enter acts, Esc closes. */
export function ActDialog(props: ActDialogProps) {
  const {
    isOpen,
    title,
    consequence,
    children,
    actLabel,
    isDestructive = false,
    isBusy = false,
    canAct = true,
    onAct,
    onClose,
  } = props;
  const titleId = useId();
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && canAct) onAct();
  };
  return (
    <DialogBox
      className="dialog"
      isOpen={isOpen}
      onClose={onClose}
      aria-labelledby={titleId}
      canOutsideClickClose={!isBusy}
    >
      <form onSubmit={handleSubmit}>
        <header id={titleId}>{title}</header>
        <div className="b">
          {consequence !== undefined && <p className="t2">{consequence}</p>}
          {children}
        </div>
        <footer>
          <Button variant="minimal" text="Cancel" onClick={onClose} disabled={isBusy} />
          <Button
            type="submit"
            intent={isDestructive ? 'danger' : 'primary'}
            text={actLabel}
            disabled={!canAct}
            loading={isBusy}
          />
        </footer>
      </form>
    </DialogBox>
  );
}

import { Button, Dialog, type DialogProps } from '@blueprintjs/core';
import { type FormEvent, type ReactNode, useEffect, useId } from 'react';
import { useBlocker } from 'react-router-dom';
import { t } from '../language/translate.ts';
import { useUnsavedText } from './unsaved-texts.ts';

interface ActionDialogProps {
  isOpen: boolean;
  /** The action with its number: "Mark 13 findings false positive". */
  title: string;
  /** What follows from it, in a sentence. */
  consequence?: ReactNode;
  /** Fields; give the first one `autoFocus`. */
  children?: ReactNode;
  /** The verb again: "Mark false positive". */
  actionLabel: string;
  isDestructive?: boolean;
  isBusy?: boolean;
  /** False while something is missing that `actionLabel` names. */
  isActionEnabled?: boolean;
  /** What is written in its fields: neither Esc nor a click outside throws it away, and it outlasts the end of the session. */
  draft?: string;
  onAction: () => void;
  onClose: () => void;
}

/** A decision: 440 wide, one filled button. Enter confirms, Esc closes where nothing is written, Cancel always. */
export function ActionDialog(props: ActionDialogProps) {
  const {
    isOpen,
    title,
    consequence,
    children,
    actionLabel,
    isDestructive = false,
    isBusy = false,
    isActionEnabled = true,
    draft = '',
    onAction,
    onClose,
  } = props;
  const titleId = useId();
  const isWritten = draft.trim() !== '';
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy && isActionEnabled) onAction();
  };
  return (
    <DialogBox
      className="dialog"
      isOpen={isOpen}
      onClose={onClose}
      aria-labelledby={titleId}
      canOutsideClickClose={!isBusy && !isWritten}
      canEscapeKeyClose={!isWritten}
    >
      {draft !== '' && <KeptDraft what={title} text={draft} />}
      <form onSubmit={handleSubmit}>
        <header id={titleId}>{title}</header>
        <div className="b">
          {consequence !== undefined && <p className="t2">{consequence}</p>}
          {children}
        </div>
        <footer>
          <Button variant="minimal" text={t('Cancel')} onClick={onClose} disabled={isBusy} />
          <Button
            type="submit"
            intent={isDestructive ? 'danger' : 'primary'}
            text={actionLabel}
            disabled={!isActionEnabled}
            loading={isBusy}
          />
        </footer>
      </form>
    </DialogBox>
  );
}

function KeptDraft({ what, text }: { what: string; text: string }) {
  useUnsavedText(what, text);
  return null;
}

const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('.bp6-portal') !== null;

interface DialogBoxProps extends DialogProps {
  onClose: () => void;
}

/**
 * A dialog that Esc closes from its first moment. Blueprint hears the key inside of the dialog only, and moves the focus there a frame
 * after it shows, later still on a busy machine.
 */
export function DialogBox(props: DialogBoxProps) {
  const { isOpen, canEscapeKeyClose = true, onClose } = props;
  useEffect(() => {
    if (!isOpen || !canEscapeKeyClose) return undefined;
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isInOverlay(event.target)) return;
      event.preventDefault();
      onClose();
    };
    document.addEventListener('keydown', handleKey, { capture: true });
    return () => document.removeEventListener('keydown', handleKey, { capture: true });
  }, [isOpen, canEscapeKeyClose, onClose]);
  return <Dialog {...props} />;
}

interface ConfirmLeaveProps {
  /** True while the form holds something that is not saved. */
  isChanged: boolean;
  /** Query parameter that names what is shown beside the page: another value leaves the form, too. */
  parameter?: string;
}

const valueIn = (search: string, parameter: string | undefined): string | null =>
  parameter === undefined ? null : new URLSearchParams(search).get(parameter);

/** Asks before a changed form is left, by a link or by closing the tab. */
export function ConfirmLeave({ isChanged, parameter }: ConfirmLeaveProps) {
  const blocker = useBlocker(
    ({ currentLocation: from, nextLocation: to }) =>
      isChanged && (from.pathname !== to.pathname || valueIn(from.search, parameter) !== valueIn(to.search, parameter)),
  );
  useEffect(() => {
    if (!isChanged) return undefined;
    const handleBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', handleBeforeUnload);
    return () => window.removeEventListener('beforeunload', handleBeforeUnload);
  }, [isChanged]);
  return (
    <ActionDialog
      isOpen={blocker.state === 'blocked'}
      title={t('Leave without saving')}
      consequence={t('What you changed here is not saved and will be lost.')}
      actionLabel={t('Leave without saving')}
      isDestructive={true}
      onAction={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  );
}

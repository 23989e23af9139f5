import { Dialog, type DialogProps } from '@blueprintjs/core';
import { useEffect } from 'react';

const isInOverlay = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('.bp6-portal') !== null;

export interface DialogBoxProps extends DialogProps {
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

import { Classes } from '@blueprintjs/core';
import { cloneElement, lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react';
import { loadWhenIdle } from '../data/load-when-idle.ts';
import type { PopupPlacement } from './popup-panel.tsx';

// What a page shows first has no popup open: the code that places one comes after it, or with the first click.
const loadPanel = async () => ({ default: (await import('./popup-panel.tsx')).PopupPanel });
const LazyPanel = lazy(loadPanel);

interface TargetProps {
  onClick?: () => void;
  onPointerEnter?: () => void;
  disabled?: boolean | undefined;
  active?: boolean;
  'aria-haspopup'?: PopupKind;
  'aria-expanded'?: boolean;
}

type PopupKind = 'dialog' | 'listbox' | 'menu';

export interface PopupProps {
  /** The button that opens and closes it. */
  children: ReactElement<TargetProps>;
  /** Drawn while it is open. */
  content: ReactElement;
  /** What assistive technology calls the content. */
  kind: PopupKind;
  placement?: PopupPlacement;
  className?: string;
  /** Given, the caller keeps whether it is open. */
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
  /** False where what the content opens takes the focus. */
  returnsFocus?: boolean;
  isFilled?: boolean;
}

/** A button with something that opens beside it: a menu, a list of options, a small dialog. */
export function Popup(props: PopupProps) {
  const { children: target, kind, onToggle, isFilled = false } = props;
  const [isOwnOpen, setIsOwnOpen] = useState(false);
  const [wasOpened, setWasOpened] = useState(false);
  const targetRef = useRef<HTMLDivElement & HTMLSpanElement>(null);
  const isOpen = props.isOpen ?? isOwnOpen;
  if (isOpen && !wasOpened) setWasOpened(true);
  useEffect(() => void loadWhenIdle(loadPanel), []);
  const toggle = (opens: boolean) => {
    setIsOwnOpen(opens);
    onToggle?.(opens);
  };
  const button = cloneElement(target, {
    'aria-haspopup': kind,
    'aria-expanded': isOpen,
    onClick: () => toggle(!isOpen),
    onPointerEnter: () => void loadPanel(),
    // a plain button has no such look
    ...(typeof target.type !== 'string' && { active: isOpen }),
  });
  const Wrapper = isFilled ? 'div' : 'span';
  return (
    <Wrapper
      className={isFilled ? `${Classes.POPOVER_TARGET} ${Classes.FILL}` : Classes.POPOVER_TARGET}
      ref={targetRef}
    >
      {button}
      {wasOpened && (
        <Suspense fallback={null}>
          <LazyPanel
            targetRef={targetRef}
            isOpen={isOpen}
            onToggle={toggle}
            content={props.content}
            placement={props.placement ?? 'bottom-end'}
            className={props.className}
            returnsFocus={props.returnsFocus ?? true}
          />
        </Suspense>
      )}
    </Wrapper>
  );
}

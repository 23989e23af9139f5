import { PopoverNext } from '@blueprintjs/core';
import { type ReactElement, type Ref, type RefObject, useLayoutEffect } from 'react';

export type PopupPlacement = 'bottom-end' | 'bottom-start' | 'top-start';

export interface PopupPanelProps {
  /** What it is placed beside, and whose clicks are no clicks outside. */
  targetRef: RefObject<HTMLElement | null>;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  content: ReactElement;
  placement: PopupPlacement;
  className: string | undefined;
  returnsFocus: boolean;
}

interface AnchorProps {
  element: RefObject<HTMLElement | null>;
  anchorRef: Ref<HTMLElement>;
}

/** Gives the popover an element that stands in the page already. */
function Anchor({ element, anchorRef }: AnchorProps) {
  useLayoutEffect(() => {
    const give = (value: HTMLElement | null) => {
      if (typeof anchorRef === 'function') anchorRef(value);
      else if (anchorRef !== null) anchorRef.current = value;
    };
    give(element.current);
    return () => give(null);
  }, [element, anchorRef]);
  return null;
}

/** The part of `Popup` that opens. */
export function PopupPanel(props: PopupPanelProps) {
  const { targetRef, isOpen, onToggle, content, placement, className, returnsFocus } = props;
  return (
    <PopoverNext
      isOpen={isOpen}
      onInteraction={onToggle}
      content={content}
      placement={placement}
      arrow={false}
      animation="minimal"
      shouldReturnFocusOnClose={returnsFocus}
      popoverClassName={className ?? ''}
      renderTarget={({ ref }) => <Anchor element={targetRef} anchorRef={ref} />}
    />
  );
}

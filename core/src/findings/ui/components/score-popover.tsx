import { PopoverNext, PopupKind } from '@blueprintjs/core';
import { lazy, Suspense, useRef, useState } from 'react';
import type { ScoreContentProps } from './score-content.tsx';

const LazyContent = lazy(async () => ({ default: (await import('./score-content.tsx')).ScoreContent }));

export interface ScorePopoverProps extends ScoreContentProps {
  title: string;
}

/** A priority number that tells why. The popover is made only when it is asked for: a list has many numbers. */
export function ScorePopover({ id, priority, title }: ScorePopoverProps) {
  const [isOpen, setIsOpen] = useState(false);
  const buttonRef = useRef<HTMLButtonElement>(null);
  const close = () => {
    setIsOpen(false);
    buttonRef.current?.focus();
  };
  return (
    <span className="prio-wrap">
      <button
        ref={buttonRef}
        type="button"
        className="prio"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={`Priority ${priority} of ${title}: why this score`}
        onClick={() => setIsOpen(!isOpen)}
      >
        {priority}
      </button>
      {isOpen && (
        <PopoverNext
          isOpen
          onClose={close}
          content={
            <Suspense fallback={null}>
              <LazyContent id={id} priority={priority} />
            </Suspense>
          }
          placement="bottom-start"
          arrow={false}
          animation="minimal"
          popupKind={PopupKind.DIALOG}
          renderTarget={({ ref }) => <span ref={ref} className="prio-anchor" />}
        />
      )}
    </span>
  );
}

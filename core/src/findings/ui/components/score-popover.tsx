import { PopoverNext, PopupKind, Spinner } from '@blueprintjs/core';
import { useEffect, useRef, useState } from 'react';
import { API } from '../../../platform/ui/api-client.ts';
import { isAbort, messagesOf } from '../../../platform/ui/api-error.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { getFinding } from '../../api/routes.ts';
import type { FindingDetails } from '../finding-detail.store.ts';
import { ScoreParts } from './score-parts.tsx';

interface ScoreContentProps {
  id: string;
  priority: number;
}

function ScoreContent({ id, priority }: ScoreContentProps) {
  const api = useService(API);
  const [parts, setParts] = useState<FindingDetails['priority_parts']>();
  const [messages, setMessages] = useState<string[]>();
  useEffect(() => {
    const abort = new AbortController();
    api.call(getFinding, { params: { id }, signal: abort.signal }).then(
      ({ data }) => setParts(data.attributes.priority_parts),
      (error: unknown) => {
        if (!isAbort(error)) setMessages(messagesOf(error));
      },
    );
    return () => abort.abort();
  }, [api, id]);
  return (
    <div className="score-pop">
      <div className="row">
        <span className="strong grow">Why this score</span>
        <span className="tn score-figure">{priority}</span>
      </div>
      {parts !== undefined && <ScoreParts priority={priority} parts={parts} />}
      {parts === undefined && messages === undefined && <Spinner size={16} aria-label="The parts are being read" />}
      {messages !== undefined && <p role="alert">{messages.join(' ')}</p>}
    </div>
  );
}

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
          content={<ScoreContent id={id} priority={priority} />}
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

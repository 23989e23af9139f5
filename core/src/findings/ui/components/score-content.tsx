import { Spinner } from '@blueprintjs/core';
import { useEffect, useState } from 'react';
import { isAbort, messagesOf } from '../../../platform/ui/api-error.ts';
import { getFinding } from '../../api/routes.ts';
import type { FindingDetails } from '../finding-detail.store.ts';
import { useFindingsApi } from '../findings-context.ts';
import { ScoreParts } from './score-parts.tsx';

export interface ScoreContentProps {
  id: string;
  priority: number;
}

/** The parts of a priority, read when they are asked for. */
export function ScoreContent({ id, priority }: ScoreContentProps) {
  const api = useFindingsApi();
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

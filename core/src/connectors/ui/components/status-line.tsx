import { StatusDot } from '../../../platform/ui/status-dot.tsx';
import type { Connector } from '../connector.ts';
import { type StatusWord, statusOf } from '../connector-state.ts';
import type { Work } from '../connectors.store.ts';

const WORK_WORDS: Record<Work, string> = {
  save: 'Checking access',
  check: 'Checking access',
  sync: 'Pulling findings',
  release: 'Being released',
  remove: 'Being deleted',
  switch: 'Switching',
};

export interface StatusLineProps {
  connector: Connector;
  work: Work | undefined;
}

/** The state in shape, colour and word; a spinner while something runs. */
export function StatusLine({ connector, work }: StatusLineProps) {
  const status: StatusWord =
    work === undefined ? statusOf(connector) : { tone: 'neutral', word: WORK_WORDS[work], isBusy: true };
  if (status.isBusy !== true) return <StatusDot tone={status.tone}>{status.word}</StatusDot>;
  return (
    <span className="st">
      <span className="conn-spin" aria-hidden="true" />
      {status.word}
    </span>
  );
}

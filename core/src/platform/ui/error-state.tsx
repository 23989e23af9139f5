import { Button } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import { ApiError, messagesOf } from './api-error.ts';
import { EmptyState } from './empty-state.tsx';

export interface ErrorStateProps {
  /** What could not be shown: "The findings could not be read". */
  title: string;
  error: unknown;
  onRetry: () => void;
}

/** Replaces a list or card whose data did not come: the cause and "Try again". */
export function ErrorState({ title, error, onRetry }: ErrorStateProps) {
  const reference = error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
  return (
    <div role="alert">
      <EmptyState
        icon={<ErrorIcon size={20} />}
        title={title}
        actions={<Button icon={<Refresh aria-hidden={true} />} text="Try again" onClick={onRetry} />}
      >
        {messagesOf(error).join(' ')}
        {reference !== undefined && <> Reference {reference}.</>}
      </EmptyState>
    </div>
  );
}

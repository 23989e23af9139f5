import { Button } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh } from '@blueprintjs/icons';
import { Component, type ReactNode } from 'react';
import { ApiError, messagesOf } from '../data/api-error.ts';
import { t } from '../language/translate.ts';

interface EmptyStateProps {
  /** A Blueprint icon, size 20. */
  icon: ReactNode;
  title: string;
  /** One sentence: why, or what to do. */
  children?: ReactNode;
  /** One button; a quiet second one for filters. */
  actions?: ReactNode;
}

/** What a list or chart shows instead of nothing. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <div className="empty">
      <span className="empty-icon" aria-hidden="true">
        {icon}
      </span>
      <p className="strong">{title}</p>
      {children !== undefined && <p className="t2">{children}</p>}
      {actions !== undefined && <div className="row empty-actions">{actions}</div>}
    </div>
  );
}

interface ErrorStateProps {
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
        actions={<Button icon={<Refresh aria-hidden={true} />} text={t('Try again')} onClick={onRetry} />}
      >
        {messagesOf(error).join(' ')}
        {reference !== undefined && <> {t('Reference {reference}.', { reference })}</>}
      </EmptyState>
    </div>
  );
}

interface ErrorBoundaryProps {
  /** What could not be shown: "The chart could not be drawn". */
  title: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  error: unknown;
  hasFailed: boolean;
}

/** Keeps the error of one part (a chart, a panel) from taking the page with it. React has no function form of this. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): ErrorBoundaryState {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <ErrorState
        title={this.props.title}
        error={this.state.error}
        onRetry={() => this.setState({ error: undefined, hasFailed: false })}
      />
    );
  }
}

import { Component, type ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';

export interface ErrorBoundaryProps {
  /** What could not be shown: "The chart could not be drawn". */
  title: string;
  children: ReactNode;
}

interface ErrorBoundaryState {
  error: unknown;
  hasFailed: boolean;
}

/** Keeps the fault of one part (a chart, a panel) from taking the page with it. React has no function form of this. */
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

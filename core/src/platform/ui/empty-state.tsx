import type { ReactNode } from 'react';

export interface EmptyStateProps {
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

import type { ReactNode } from 'react';

export interface PageHeadProps {
  title: string;
  /** Count, view or one muted line right of the title. */
  aside?: ReactNode;
  /** Actions at the right, the primary one last. */
  children?: ReactNode;
}

/** Head of a page: 56 high, one h1. */
export function PageHead({ title, aside, children }: PageHeadProps) {
  return (
    <div className="phead">
      <h1>{title}</h1>
      {aside}
      <span className="grow" />
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import type { BuilderStore } from './builder.store.ts';

export interface PartProps {
  store: BuilderStore;
}

/** One part of the document. */
export function Part({ title, intro, children }: { title: string; intro?: string; children: ReactNode }) {
  return (
    <section className="bp6-card builder-part" aria-label={title}>
      <h2>{title}</h2>
      {intro !== undefined && <p className="t2">{intro}</p>}
      {children}
    </section>
  );
}

/** Fields side by side, where there is room. */
export const Pair = ({ children }: { children: ReactNode }) => <div className="builder-pair">{children}</div>;

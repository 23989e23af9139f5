import type { ReactNode } from 'react';

/** accent: open. ok: fixed, done. warn: reopened, changed. bad: failed. off: false positive or switched off. neutral: the rest. */
export type StatusTone = 'accent' | 'ok' | 'warn' | 'bad' | 'off' | 'neutral';

const CLASS_OF: Record<StatusTone, string> = {
  accent: 'acc',
  ok: 'ok',
  warn: 'warn',
  bad: 'bad',
  off: 'off',
  neutral: '',
};

export interface StatusDotProps {
  tone: StatusTone;
  children: ReactNode;
}

/** A state as a shape, its colour, and its word. */
export function StatusDot({ tone, children }: StatusDotProps) {
  return (
    <span className={`st ${CLASS_OF[tone]}`}>
      <i aria-hidden="true" />
      {children}
    </span>
  );
}

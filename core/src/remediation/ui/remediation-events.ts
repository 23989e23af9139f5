import { eventKind } from '../../platform/ui/data/live-events.ts';

/** A fix was generated, edited or opened, or its pull request moved on. */
export const REMEDIATION_CHANGED = eventKind<{ remediation_id: string; finding_id: string }>('remediation.changed');

/** How far a model is with a fix. */
export interface FixProgress {
  model: string;
  /** Of its answer, so far. */
  characters: number;
  /** What was wrong with its first answer; null while that is awaited. */
  repaired: string | null;
}

/** A model has begun or goes on to write a fix. */
export const REMEDIATION_PROGRESS = eventKind<FixProgress & { remediation_id: string; finding_id: string }>(
  'remediation.progress',
);

/** Somebody asked a model about a finding, it has answered, or its proposal was dismissed. */
export const ASSESSMENT_CHANGED = eventKind<{ finding_id: string }>('assessment.changed');

/** How many characters a model has answered. */
export const ASSESSMENT_PROGRESS = eventKind<{ finding_id: string; characters: number }>('assessment.progress');

export { ASSESSED_VERDICTS, type AssessedVerdict } from '../../findings/model/states.ts';

/** What people made of the proposal; one that was taken over shows in the verdict of the finding. */
export const ASSESSMENT_STATES = ['proposed', 'dismissed'] as const;
export type AssessmentState = (typeof ASSESSMENT_STATES)[number];

/** Whether a model can be asked: switched off, no model, no use left this month. */
export const ASSESSMENT_AVAILABILITIES = ['off', 'not_configured', 'used_up', 'available'] as const;
export type AssessmentAvailability = (typeof ASSESSMENT_AVAILABILITIES)[number];

/** One reason, about lines of the file that the model was shown. */
export interface AssessmentReason {
  text: string;
  /** From 1. */
  line: number;
  /** The last line, from 1. */
  end_line: number;
}

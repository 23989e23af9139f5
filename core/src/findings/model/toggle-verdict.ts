import { VERDICTS, type Verdict } from './states.ts';

/**
 * The verdict after the false-positive switch is turned. Off restores what stood before it was turned on; a finding that its
 * tool had marked goes to none.
 */
export const toggledVerdict = (verdict: Verdict, before: string | undefined): Verdict => {
  if (verdict !== 'false_positive') return 'false_positive';
  return VERDICTS.find((known) => known === before && known !== 'false_positive') ?? 'none';
};

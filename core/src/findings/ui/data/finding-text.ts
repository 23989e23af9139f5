import type { StatusTone } from '../../../platform/ui/display/badges.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { stateLabel } from '../../model/finding-text.ts';
import type { FindingAttributes } from './findings.store.ts';

export interface StateText {
  tone: StatusTone;
  word: string;
}

type State = Pick<FindingAttributes, 'status' | 'verdict' | 'false_positive' | 'is_duplicate'>;

const toneOf = (finding: State): StatusTone => {
  if (finding.false_positive || finding.verdict === 'accepted_risk') return 'off';
  if (finding.verdict === 'mitigated_externally') return 'ok';
  if (finding.is_duplicate) return 'neutral';
  if (finding.status === 'mitigated') return 'ok';
  return finding.status === 'reopened' ? 'warn' : 'accent';
};

/** What a row says about its state: a verdict before the work status. */
export const stateOf = (finding: State): StateText => ({ tone: toneOf(finding), word: t(stateLabel(finding)) });

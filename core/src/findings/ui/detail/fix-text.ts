import { t } from '../../../platform/ui/language/translate.ts';
import type { FindingDetails } from '../data/finding-detail.store.ts';

type Upgrade = Pick<FindingDetails, 'component' | 'component_version' | 'fixed_version'>;

/** `Upgrade stdlib go1.20 → 1.20.10`, by the report alone; undefined where it names no fixed version. */
export const upgradeText = ({ component, component_version: from, fixed_version: to }: Upgrade): string | undefined => {
  const first = to?.split(',')[0]?.trim();
  if (component === null || first === undefined || first === '') return undefined;
  return from === null
    ? t('Upgrade {name} to {to}', { name: component, to: first })
    : t('Upgrade {name} {from} → {to}', { name: component, from, to: first });
};

const MAX_SENTENCE = 160;
/** Before what our rules advise, see `prioritisation/model/advice.ts`. */
const ESTIMATE = /^Estimate, the tool gives no advice\.\s*/;

/** Whether an advice is ours, so that the tables have it; what a tool advises stays in its language. */
export const isEstimate = (text: string | null): boolean => ESTIMATE.test(text ?? '');

/** An advice as its reader reads it: ours in their language, that of a tool as the report has it. */
export const adviceText = (text: string): string => (isEstimate(text) ? t(text) : text);

/** The first sentence of an advice, without Markdown; undefined where there is none. */
export const firstSentence = (text: string | null): string | undefined => {
  const advice = isEstimate(text) ? t((text ?? '').replace(ESTIMATE, '')) : (text ?? '');
  const plain = advice
    .replaceAll(/[`*_#]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain === '') return undefined;
  const [sentence = plain] = /^.+?[.!?](?=\s+\p{Lu}|$)/u.exec(plain) ?? [];
  return sentence.length <= MAX_SENTENCE ? sentence : `${sentence.slice(0, MAX_SENTENCE - 1).trimEnd()}…`;
};

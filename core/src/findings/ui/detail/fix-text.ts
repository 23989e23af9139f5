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

/** The first sentence of an advice, without Markdown; undefined where there is none. */
export const firstSentence = (text: string | null): string | undefined => {
  const plain = (text ?? '')
    .replace(ESTIMATE, '')
    .replaceAll(/[`*_#]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (plain === '') return undefined;
  const [sentence = plain] = /^.+?[.!?](?=\s+[A-Z]|$)/.exec(plain) ?? [];
  return sentence.length <= MAX_SENTENCE ? sentence : `${sentence.slice(0, MAX_SENTENCE - 1).trimEnd()}…`;
};

import { t, translated } from '../../platform/ui/language/translate.ts';

type Parts = readonly string[];

/** Names of fixes with values in them, as `server/fixes/group-fixes.ts` writes them in English. */
const LABELS: readonly [RegExp, (parts: Parts) => string][] = [
  [
    /^Upgrade (\S+) (\S+) → (\S+)$/,
    ([, name = '', from = '', to = '']) => t('Upgrade {name} {from} → {to}', { name, from, to }),
  ],
  [/^Upgrade (\S+) to (\S+)$/, ([, name = '', to = '']) => t('Upgrade {name} to {to}', { name, to })],
  [/^Rotate each (.+)$/, ([, secret = '']) => t('Rotate each {secret}', { secret })],
];

/** The name of a fix in the reader's language; one without values as the table has it. */
export const fixLabel = (label: string): string => {
  for (const [pattern, say] of LABELS) {
    const parts = pattern.exec(label);
    if (parts !== null) return say(parts);
  }
  return translated(label);
};

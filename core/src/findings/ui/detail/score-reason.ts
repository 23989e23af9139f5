import { msg } from '../../../platform/model/message.ts';
import { formatExact, formatFixed, formatPercent } from '../../../platform/ui/display/formats.ts';
import { inSentence, plural, t } from '../../../platform/ui/language/translate.ts';
import { SEVERITY_LABELS } from '../../model/labels.ts';
import { PIECES } from '../../model/priority-parts.ts';

/** Words that stand inside reasons. */
const WORDS: Readonly<Record<string, string>> = {
  ...SEVERITY_LABELS,
  'the network': msg('the network'),
  'an adjacent network': msg('an adjacent network'),
  'the machine itself': msg('the machine itself'),
  'physical access': msg('physical access'),
  'open to the internet': msg('open to the internet'),
  internal: msg('internal'),
  'sensitive data': msg('sensitive data'),
  'business data': msg('business data'),
  'public data': msg('public data'),
};

const word = (text = ''): string => {
  const known = Object.hasOwn(WORDS, text) ? WORDS[text] : undefined;
  return known === undefined ? text : inSentence(known);
};

type Parts = readonly (string | undefined)[];

const matching = (texts: readonly [RegExp, (parts: Parts) => string][], reason: string): string | undefined => {
  for (const [pattern, text] of texts) {
    const parts = pattern.exec(reason);
    if (parts !== null) return text(parts);
  }
  return undefined;
};

/** `10 Oct 2023` as it is stored, in the reader's language. */
const day = (text = ''): string => {
  const at = Date.parse(`${text} UTC`);
  return Number.isNaN(at) ? text : formatExact(new Date(at).toISOString().slice(0, 10));
};

/** `94.3%`, `<1%`. */
const share = (text = ''): string => {
  const [, sign = '', whole, decimals = ''] = /^([<>]?)(\d+)(?:\.(\d+))?%$/.exec(text) ?? [];
  return whole === undefined ? text : `${sign}${formatPercent(Number(`${whole}.${decimals}`), decimals.length)}`;
};

/** Pieces of the reason of what decides between equals, as `prioritisation/model/tie-break.ts` writes them. */
const TIE_PIECES: readonly [RegExp, (parts: Parts) => string][] = [
  [
    /^Data flow of (\d+) steps$/,
    ([, steps = '']) => plural(Number(steps), 'Data flow of {count} step', 'Data flow of {count} steps'),
  ],
  [/^Known since (\d{4})$/, ([, year = '']) => t('Known since {year}', { year })],
];

/** The same, one piece beside the other. @param reason as it is stored */
export const tieReasonText = (reason: string): string =>
  reason
    .split(PIECES)
    .map((piece) => matching(TIE_PIECES, piece) ?? t(piece))
    .join(' · ');

/** Reasons with values in them, as `prioritisation/model/score-priority.ts` writes them. Each is stored in English with its finding. */
const REASONS: readonly [RegExp, (parts: Parts) => string][] = [
  [/^CVSS (\d+\.\d)$/, ([, score]) => `CVSS ${formatFixed(Number(score), 1)}`],
  [
    /^(.+); (\S+) comes only with another package$/,
    ([, why = '', name = '']) =>
      t('{reason}; {name} comes only with another package', { reason: reasonText(why), name }),
  ],
  [
    /^(.+); no source file imports (\S+)$/,
    ([, why = '', name = '']) => t('{reason}; no source file imports {name}', { reason: reasonText(why), name }),
  ],
  [/^Severity (\w+)$/, ([, severity]) => t('Severity {severity}', { severity: word(severity) })],
  [
    /^Known to be exploited, CISA (.+)$/,
    ([, date = '']) => t('Known to be exploited, CISA {date}', { date: day(date) }),
  ],
  [
    /^EPSS (\S+%), above (\S+%) of all$/,
    ([, epss, of]) => t('{epss}, above {share} of all', { epss: `EPSS ${share(epss)}`, share: share(of) }),
  ],
  [
    /^EPSS (\S+%), above (\S+%) of all, (.+)$/,
    ([, epss, of, date]) =>
      t('{epss}, above {share} of all, {date}', { epss: `EPSS ${share(epss)}`, share: share(of), date: day(date) }),
  ],
  [
    /^Reached from ([a-z ]+), without sign-in or a victim$/,
    ([, from]) => t('Reached from {place}, without sign-in or a victim', { place: word(from) }),
  ],
  [/^Reached from ([a-z ]+)$/, ([, from]) => t('Reached from {place}', { place: word(from) })],
  [
    /^Likelihood of exploit (\w+) \(CWE\)$/,
    ([, how]) => t('Likelihood of exploit {likelihood} (CWE)', { likelihood: word(how) }),
  ],
  [
    /^Repository: (.+)$/,
    ([, known = '']) => t('Repository: {facts}', { facts: known.split(', ').map(word).join(', ') }),
  ],
  [/^Known exploited: at least (\d+)$/, ([, least = '']) => t('Known exploited: at least {points}', { points: least })],
  [
    /^Exploit likely and severity (\w+): at least (\d+)$/,
    ([, severity, points = '']) =>
      t('Exploit likely and severity {severity}: at least {points}', { severity: word(severity), points }),
  ],
];

/** Why a part of a priority has its points, in the reader's language. @param reason as it is stored */
export const reasonText = (reason: string): string => matching(REASONS, reason) ?? t(reason);

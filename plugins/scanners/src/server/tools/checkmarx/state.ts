import type { NormalizedFinding, Severity } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { fields, label, number, text } from '../../lib/read.ts';
import { severityFromWord } from '../../lib/severity.ts';

/** States that people give results, by number in SAST's XML. */
const NOT_EXPLOITABLE = '1';

/** A result that was found not to be exploitable, was muted, or is gone. "Proposed" not exploitable is still open. */
export function suppressionOf(state: unknown, status: unknown, comment: unknown): NormalizedFinding['suppressed'] {
  const word = (label(state) ?? '').toLowerCase().replace(/[\s-]+/g, '_');
  const isFixed = /^(?:fixed|resolved)$/i.test(label(status) ?? '');
  const isFalse = word === 'not_exploitable' || word === NOT_EXPLOITABLE;
  const isMuted = word === 'muted' || word === 'snoozed' || word === 'ignored';
  if (!isFixed && !isFalse && !isMuted) return undefined;
  const reason = isFixed ? 'Fixed' : isFalse ? 'Not exploitable' : `Marked as ${word}`;
  const why = text(comment, 2_000);
  return {
    verdict: isFixed ? 'mitigated_externally' : isMuted ? 'accepted_risk' : 'false_positive',
    reason: why === undefined ? reason : `${reason}: ${why}`,
  };
}

/** ISO text, or `{seconds}` as protobuf writes it. */
export function dateOf(value: unknown): string | undefined {
  const seconds = number(fields(value).seconds);
  if (seconds !== undefined && seconds > 0 && seconds < 32_503_680_000) return new Date(seconds * 1_000).toISOString();
  return isoDate(value);
}

/** "Sunday, February 25, 2018 11:35:52 AM", which no other country's notation looks like. */
export function longDate(value: string | undefined): string | undefined {
  const match = /^\w+, ([A-Z][a-z]+ \d{1,2}, \d{4} \d{1,2}:\d{2}:\d{2} [AP]M)$/.exec(value ?? '');
  const stamp = match === null ? Number.NaN : Date.parse(`${match[1]} UTC`);
  return Number.isFinite(stamp) ? new Date(stamp).toISOString() : undefined;
}

export function severityOf(word: string | undefined): Severity {
  return severityFromWord(word) ?? 'informational';
}

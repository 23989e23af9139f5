// no text in this file: a check at the provider is read by everybody who works in the repository, in English
import type { Severity } from '@breakwater/sdk';

/** What a provider shows of a commit. */
export type CommitState = 'pending' | 'success' | 'failure';

/** How the check is called at providers; a later status of this name takes the place of the earlier one. */
export const CHECK_NAME = 'Breakwater';

/** New findings of these severities fail the check. */
export const FAILING_SEVERITIES = ['critical', 'high'] as const satisfies readonly Severity[];

/** Most rows of a comment. */
export const MAX_ROWS = 20;

/** How many new findings there are, most severe first. */
export type NewCounts = Readonly<Record<Severity, number>>;

/** A new finding as the comment names it. Texts are those of reports: hostile. */
export interface NewFinding {
  readonly severity: Severity;
  readonly title: string;
  readonly path: string | null;
  readonly line: number | null;
  /** Its page; undefined where the server has no public address. */
  readonly url: string | undefined;
}

const ORDER = ['critical', 'high', 'medium', 'low', 'informational'] as const satisfies readonly Severity[];

const totalOf = (counts: NewCounts): number => ORDER.reduce((sum, severity) => sum + counts[severity], 0);

const findings = (count: number): string => `${count} new finding${count === 1 ? '' : 's'}`;

const bySeverity = (counts: NewCounts): string =>
  ORDER.flatMap((severity) => (counts[severity] === 0 ? [] : [`${counts[severity]} ${severity}`])).join(', ');

/** Whether new findings fail the check. */
export const isFailing = (counts: NewCounts): boolean => FAILING_SEVERITIES.some((severity) => counts[severity] > 0);

/** The line beside a status. */
export const statusText = (counts: NewCounts, failedScans: number): string => {
  const total = totalOf(counts);
  const failed = failedScans === 0 ? '' : ` ${failedScans} scan${failedScans === 1 ? '' : 's'} failed.`;
  if (total === 0) return `No new findings.${failed}`;
  const why = isFailing(counts) ? 'Fails on critical and high.' : 'None is critical or high.';
  return `${findings(total)}: ${bySeverity(counts)}. ${why}${failed}`;
};

const MAX_TEXT = 120;
/** Control characters, and what has no width or turns the direction of the text. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/**
 * Text of a report inside a comment: one span of code, in which no provider reads links, images, HTML, mentions or numbers of issues. What
 * would end the span or the cell of the table is written otherwise.
 */
export const codeSpan = (text: string): string => {
  const plain = text
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .replaceAll(UNSEEN, '')
    .replaceAll('`', "'")
    .replaceAll('|', '¦')
    .replaceAll('\\', '/')
    .trim();
  const letters = [...plain];
  const cut = letters.length <= MAX_TEXT ? plain : `${letters.slice(0, MAX_TEXT - 1).join('')}…`;
  return cut === '' ? '–' : `\`${cut}\``;
};

const placeOf = ({ path, line }: NewFinding): string => {
  if (path === null || path === '') return '–';
  return codeSpan(line === null ? path : `${path}:${line}`);
};

const capital = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const rowOf = (finding: NewFinding): string => {
  const title = codeSpan(finding.title);
  const named = finding.url === undefined ? title : `[${title}](${finding.url})`;
  return `| ${capital(finding.severity)} | ${named} | ${placeOf(finding)} |`;
};

export interface CommentFacts {
  readonly counts: NewCounts;
  /** The most urgent ones. */
  readonly rows: readonly NewFinding[];
  readonly commit: string;
  /** List of all of them. */
  readonly url: string | undefined;
}

/** The comment on a pull request, as Markdown. */
export const commentText = ({ counts, rows, commit, url }: CommentFacts): string => {
  const total = totalOf(counts);
  const about = `Commit ${codeSpan(commit.slice(0, 12))}.`;
  if (total === 0) return `### ${CHECK_NAME}: no new findings\n\n${about}`;
  const shown = rows.slice(0, MAX_ROWS);
  const rest = total - shown.length;
  const list = url === undefined ? '' : ` [Show the list](${url}).`;
  return [
    `### ${CHECK_NAME}: ${findings(total)}`,
    '',
    `${capital(bySeverity(counts))}. The check fails on new findings of critical or high severity.`,
    '',
    '| Severity | Finding | Where |',
    '| --- | --- | --- |',
    ...shown.map(rowOf),
    '',
    `${rest > 0 ? `And ${rest} more. ` : ''}${about}${list}`,
  ].join('\n');
};

import type { Location, NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { maskSecret, withoutSecret } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, list, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

/**
 * One element of `results`, or a row of the CSV, whose columns have the same names. Source: bandit/core/issue.py, versions 1.0
 * to 1.8; `test_id` came with 1.1, `issue_cwe` with 1.7.3.
 */
export const Issue = Type.Object({ filename: Type.String(), test_name: Type.String({ minLength: 1 }) });
export type Issue = Static<typeof Issue>;
export const issueCheck = recordCheck(Issue);

export function issueFinding(issue: Issue): NormalizedFinding {
  const record = fields(issue);
  const name = label(record.test_name);
  const ruleId = label(record.test_id) ?? name ?? 'unnamed test';
  const said = text(record.issue_text);
  const secret = passwordIn(ruleId, name, said);
  const message = withoutSecret(said, secret);
  const nativeSeverity = label(record.issue_severity);
  const location = locationOf(record, secret);
  const confidence = label(record.issue_confidence);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(message ?? name ?? ruleId),
    type: 'SAST' as const,
    severity: severityFromWord(nativeSeverity) ?? 'informational',
    nativeSeverity,
    description: message,
    cwe: cweNumbers(fields(record.issue_cwe).id, cweLink(record.issue_cwe)),
    references: webAddresses(record.more_info, fields(record.issue_cwe).link),
    locations: location === undefined ? undefined : [location],
    policy: name === undefined ? undefined : { name },
    tags: confidence === undefined ? undefined : [`confidence: ${confidence.toLowerCase()}`],
    language: 'python',
  });
}

/** In CSV the weakness is its address: `https://cwe.mitre.org/data/definitions/78.html`. */
function cweLink(value: unknown): string | undefined {
  return /definitions\/(\d{1,5})/.exec(label(value) ?? '')?.[1] ?? label(value);
}

/** The tests B105 to B107 quote the password that they found. */
function passwordIn(ruleId: string, name: string | undefined, message: string | undefined): string | undefined {
  if (!/^B10[567]$/.test(ruleId) && !name?.startsWith('hardcoded_password')) return undefined;
  const said = message?.trimEnd() ?? '';
  const quote = said.at(-1);
  if (quote !== '"' && quote !== "'") return undefined;
  for (let colon = said.indexOf(':'); colon >= 0; colon = said.indexOf(':', colon + 1)) {
    let at = colon + 1;
    while (said[at] === ' ' || said[at] === '\t') at += 1;
    if (said[at] === quote) return at + 1 < said.length - 1 ? said.slice(at + 1, -1) : undefined;
  }
  return undefined;
}

function locationOf(record: Record<string, unknown>, secret: string | undefined): Location | undefined {
  const path = normalisePath(record.filename);
  if (path === undefined) return undefined;
  const lines = lineRange(record.line_range);
  const code = codeOf(record.code, lines);
  // Columns count from 0; -1 stands for unknown.
  const column = number(record.col_offset);
  const endColumn = number(record.end_col_offset);
  return defined({
    path,
    startLine: position(record.line_number),
    endLine: position(lines.at(-1)),
    startColumn: column === undefined ? undefined : position(column + 1),
    endColumn: endColumn === undefined || endColumn === 0 ? undefined : position(endColumn + 1),
    snippet: secret === undefined || code === undefined ? code : maskSecret(code, secret),
  });
}

/** `[3, 4]`; in CSV as text. */
function lineRange(value: unknown): number[] {
  const parts = typeof value === 'string' ? (value.slice(0, 10_000).match(/\d+/g) ?? []) : list(value);
  return parts.map(position).filter((line) => line !== undefined);
}

/** The flagged lines alone, without their numbers: these change with every edit above. */
function codeOf(value: unknown, range: readonly number[]): string | undefined {
  if (typeof value !== 'string') return undefined;
  const numbered = clean(value, LIMITS.snippetChars)
    .split('\n')
    .map((line) => ({ line, start: /^(\d{1,9})[ \t]?/.exec(line) }));
  const lines = numbered.flatMap(({ line, start }) =>
    start === null ? [] : [{ number: Number(start[1]), code: line.slice(start[0].length) }],
  );
  const flagged = lines.filter((line) => range.includes(line.number));
  const code = (flagged.length > 0 ? flagged : lines).map((line) => line.code).join('\n');
  return code.trim() === '' ? undefined : code;
}

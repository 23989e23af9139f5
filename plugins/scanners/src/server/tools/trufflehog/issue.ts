import type { NormalizedFinding } from '@breakwater/sdk';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { clean, defined, fields, label, list, position, text } from '../../lib/read.ts';
import { maskSecret, secretDigest, withoutSecret } from '../../lib/secrets.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import { dateOf } from './result.ts';

const MESSAGE_CHARS = 2_000;
const MITIGATION = 'Revoke the secret, then remove it from the code and its history.';

/** Version 2: what one reason found in one change of a file. The change itself stays out, it shows the secrets. */
export function issueFinding(record: Record<string, unknown>): NormalizedFinding {
  const found = list(record.stringsFound).filter((value) => typeof value === 'string');
  const safe = (value: unknown) => withoutAll(text(value), found);
  const ruleId = label(record.reason) ?? 'secret';
  const path = normalisePath(safe(record.path));
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(ruleId),
    type: 'Secrets' as const,
    severity: /entropy/i.test(ruleId) ? ('medium' as const) : ('high' as const),
    description: paragraphs(
      found.length < 2 ? undefined : `${found.length} places in this change.`,
      originOf(safe(record.commitHash), undefined),
      cut(safe(record.commit)),
    ),
    mitigation: MITIGATION,
    cwe: [798],
    locations: path === undefined ? undefined : [{ path }],
    // Their order changes from run to run.
    secretHash: secretDigest(found.toSorted().join('\n')),
    date: dateOf(record.date),
  });
}

/** trufflehog3. */
export function currentIssueFinding(record: Record<string, unknown>): NormalizedFinding {
  const rule = fields(record.rule);
  const secret = typeof record.secret === 'string' && record.secret !== '' ? record.secret : undefined;
  const safe = (value: unknown) => withoutSecret(text(value), secret);
  const nativeSeverity = label(rule.severity);
  const ruleId = label(rule.id) ?? label(rule.message) ?? 'secret';
  const path = normalisePath(safe(record.path));
  const snippet = contextOf(record.context, secret);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(rule.message) ?? ruleId),
    type: 'Secrets' as const,
    severity: severityFromWord(nativeSeverity) ?? 'high',
    nativeSeverity,
    description: paragraphs(originOf(safe(record.commit), safe(record.author)), cut(safe(record.message))),
    mitigation: MITIGATION,
    cwe: [798],
    locations: path === undefined ? undefined : [defined({ path, startLine: position(record.line), snippet })],
    secretHash: secretDigest(secret),
    date: dateOf(record.date),
  });
}

function originOf(commit: string | undefined, author: string | undefined): string | undefined {
  return commit === undefined ? undefined : `Found in commit ${commit}${author === undefined ? '' : ` by ${author}`}.`;
}

function cut(message: string | undefined): string | undefined {
  return message === undefined ? undefined : clean(message, MESSAGE_CHARS);
}

function withoutAll(value: string | undefined, secrets: readonly string[]): string | undefined {
  let safe = value;
  for (const secret of secrets.slice(0, 200)) safe = withoutSecret(safe, secret);
  return safe;
}

/** `{"3": "+FROM python@sha256:…"}` */
function contextOf(context: unknown, secret: string | undefined): string | undefined {
  const lines = Object.values(fields(context)).filter((line) => typeof line === 'string');
  const masked = maskSecret(lines.slice(0, 100).join('\n'), secret);
  return masked === undefined || masked.trim() === '' ? undefined : clean(masked, LIMITS.snippetChars);
}

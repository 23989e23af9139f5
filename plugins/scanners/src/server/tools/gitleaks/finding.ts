import type { NormalizedFinding, Severity } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { clean, defined, fields, label, labels, list, number, position, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { maskSecret, secretDigest, withoutSecret } from '../../lib/secrets.ts';
import { severityFromWord } from '../../lib/severity.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import type { GitleaksRecord } from './schema.ts';

const MESSAGE_CHARS = 2_000;

/** The fields of both record generations under one set of names. */
function read(record: Record<string, unknown>) {
  const isCurrent = record.RuleID !== undefined;
  return {
    ruleId: label(isCurrent ? record.RuleID : record.rule),
    title: text(isCurrent ? record.Description : record.rule),
    path: normalisePath(isCurrent ? record.File : record.file),
    startLine: position(isCurrent ? record.StartLine : record.lineNumber),
    endLine: position(record.EndLine),
    startColumn: position(record.StartColumn),
    endColumn: position(record.EndColumn),
    secret: raw(isCurrent ? record.Secret : record.offender),
    context: raw(isCurrent ? record.Match : record.line),
    commit: label(isCurrent ? record.Commit : record.commit),
    author: label(isCurrent ? record.Author : record.author),
    message: text(isCurrent ? record.Message : record.commitMessage),
    date: isoDate(isCurrent ? record.Date : record.date),
    tags: tagsOf(isCurrent ? record.Tags : record.tags),
    link: isCurrent ? record.Link : record.leakURL,
    fingerprint: label(record.Fingerprint),
    entropy: number(record.Entropy),
  };
}

export function leakFinding(record: GitleaksRecord): NormalizedFinding {
  const leak = read(fields(record));
  const { path } = leak;
  const safe = (value: string | undefined) => withoutSecret(value, leak.secret);
  const ruleId = safe(leak.ruleId) ?? 'secret';
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(safe(leak.title) ?? ruleId),
    type: 'Secrets' as const,
    severity: severityOf(leak.tags),
    description: descriptionOf(leak.commit, safe(leak.author), safe(leak.message)),
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    cwe: [798],
    references: webAddresses(safe(typeof leak.link === 'string' ? leak.link : undefined)),
    locations:
      path === undefined
        ? undefined
        : [
            defined({
              path: safe(path) ?? path,
              startLine: leak.startLine,
              endLine: leak.endLine,
              startColumn: leak.startColumn,
              endColumn: leak.endColumn,
              snippet: snippetOf(leak.context, leak.secret),
            }),
          ],
    secretHash: secretDigest(leak.secret),
    fingerprint: safe(stableFingerprint(leak.fingerprint, leak.commit)),
    date: leak.date,
    tags: leak.tags.length === 0 ? undefined : leak.tags,
  });
}

/** Secrets keep their white space: the digest is of the secret as it stands in the code. */
function raw(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function snippetOf(context: string | undefined, secret: string | undefined): string | undefined {
  const masked = maskSecret(context, secret);
  return masked === undefined || masked.trim() === '' ? undefined : clean(masked, LIMITS.snippetChars);
}

/** A comma list in version 7, words in CSV, an array in version 8. */
function tagsOf(value: unknown): string[] {
  const parts = Array.isArray(value) ? list(value) : typeof value === 'string' ? value.split(/[,\s]+/) : [];
  return labels(parts, 50);
}

/** Gitleaks does not rate; people rate their own rules by a tag. A secret in the open is high without one. */
function severityOf(tags: readonly string[]): Severity {
  return tags.map(severityFromWord).find((severity) => severity !== undefined) ?? 'high';
}

function descriptionOf(commit: string | undefined, author: string | undefined, message: string | undefined) {
  const origin =
    commit === undefined || commit === ''
      ? undefined
      : `Found in commit ${commit}${author === undefined ? '' : ` by ${author}`}.`;
  return paragraphs(origin, message === undefined ? undefined : clean(message, MESSAGE_CHARS));
}

/** `commit:file:rule:line`; without a commit (a folder was scanned) it only repeats the place, which moves with every edit. */
function stableFingerprint(fingerprint: string | undefined, commit: string | undefined): string | undefined {
  return commit === undefined ? undefined : fingerprint;
}

import type { Location, NormalizedFinding, ParseOptions, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { inCheckout } from '../../lib/findings/checkout-paths.ts';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { maskSecret, secretDigest, withoutSecret } from '../../lib/findings/secrets.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { advised } from '../../lib/formats/by-start.ts';
import type { JsonFormat } from '../../lib/json/records.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, list, number, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'Nosey Parker';

/** A secret with the places where it was found. Source: noseyparker 0.12 to 0.24, `report --format json` and `jsonl`. */
const Secret = Type.Object({ rule_name: Type.String({ minLength: 1 }), matches: Type.Array(Type.Unknown()) });
type Secret = Static<typeof Secret>;

const FORMAT: JsonFormat = { name: NAME, shape: {}, emptyForms: ['[]'] };

function recogniseNoseyParker(head: Uint8Array): number {
  return hasKeys(sketchJson(head), 'rule_name', 'num_matches', 'matches') ? 0.97 : 0;
}

function createReader(): StreamReader {
  let unlisted = 0;
  const read = (secret: Secret): NormalizedFinding[] => {
    unlisted += Math.max(0, (number(fields(secret).num_matches) ?? 0) - secret.matches.length);
    return list(secret.matches).map((match) => matchFinding(fields(secret), fields(match)));
  };
  const reader = { check: recordCheck(Secret), read };
  return {
    lists: { report: () => reader },
    *end() {
      yield { kind: 'report', toolName: NAME };
      if (unlisted > 0)
        yield scanFailure(`${unlisted} places of secrets are not listed: write the report with “--max-matches -1”.`);
    },
  };
}

type Fields = Record<string, unknown>;

function matchFinding(secret: Fields, match: Fields): NormalizedFinding {
  const parts = secretParts(secret, match);
  const safe = (value: unknown) => parts.reduce(withoutSecret, text(value));
  const ruleId = label(match.rule_text_id) ?? label(secret.rule_text_id) ?? label(secret.rule_name) ?? 'secret';
  const place = placeOf(match, parts, safe);
  const isRejected = match.status === 'reject' || list(secret.statuses).includes('reject');
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(secret.rule_name) ?? ruleId),
    type: 'Secrets' as const,
    severity: 'high' as const,
    description: originOf(match, safe),
    // no text: part of a finding
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    cwe: [798],
    locations: place === undefined ? undefined : [place],
    secretHash: secretDigest(parts.join('\n')),
    suppressed: isRejected
      ? {
          verdict: 'false_positive' as const,
          reason: oneLine(safe(match.comment) ?? safe(secret.comment) ?? 'Rejected in Nosey Parker.'),
        }
      : undefined,
  });
}

/** What the rule captured, as it stands in the code: base64 since 0.17, one text before. */
function secretParts(secret: Fields, match: Fields): string[] {
  const groups = [...list(match.groups), ...list(secret.groups)].filter((group) => typeof group === 'string');
  const decoded = groups.map((group) => Buffer.from(group, 'base64').toString('utf8'));
  const whole = [match.match_content, secret.match_content].filter((content) => typeof content === 'string');
  return [...new Set([...decoded, ...whole])].filter((part) => part.trim() !== '').slice(0, 20);
}

type Safe = (value: unknown) => string | undefined;

function placeOf(match: Fields, secrets: readonly string[], safe: Safe): Location | undefined {
  const origins = list(match.provenance).map(fields);
  const names = [...origins.map(({ path }) => path), ...origins.map((origin) => commitOf(origin).blob_path)];
  const path = normalisePath(safe(names.find((name) => typeof name === 'string' && name !== '')));
  if (path === undefined) return undefined;
  const { start, end } = fields(fields(match.location).source_span);
  return defined({
    path,
    startLine: position(fields(start).line),
    endLine: position(fields(end).line),
    startColumn: position(fields(start).column),
    endColumn: position(fields(end).column),
    snippet: snippetOf(fields(match.snippet).matching, secrets),
  });
}

/** The matching text alone: what stands around it may hold other secrets. */
function snippetOf(matching: unknown, secrets: readonly string[]): string | undefined {
  if (typeof matching !== 'string' || secrets.length === 0) return undefined;
  let masked: string | undefined = matching;
  for (const secret of secrets) masked = maskSecret(masked, secret);
  return masked === undefined || masked.trim() === '' ? undefined : clean(masked, LIMITS.snippetChars);
}

const commitOf = (origin: Fields): Fields => fields(origin.commit_provenance ?? origin.first_commit);

/** The commit that brought the secret in, where a repository was scanned with its history. */
function originOf(match: Fields, safe: Safe): string | undefined {
  for (const origin of list(match.provenance).map(fields)) {
    const { commit_id, author_name, message } = fields(commitOf(origin).commit_metadata);
    const commit = safe(commit_id);
    if (commit === undefined) continue;
    const author = safe(author_name);
    const by = author === undefined ? '' : ` by ${author}`;
    // no text: part of a finding
    return paragraphs(`Found in commit ${commit}${by}.`, safe(message)?.slice(0, 2_000).toWellFormed());
  }
  return undefined;
}

/** @throws ReportError */
const parseNoseyParker = (report: AsyncIterable<Uint8Array>, options: ParseOptions): AsyncIterable<ReportRecord> =>
  inCheckout(readJson(report, options, FORMAT, createReader));

export const noseyparker: ReportParser = {
  tool: 'noseyparker',
  formats: ['json', 'jsonl'],
  reads: {
    part: {},
    failure: ['`num_matches` above the number of matches'],
    identity: 'rule, path and secret',
  },
  recognise: recogniseNoseyParker,
  parse: advised(parseNoseyParker, 'noseyparker report --format json --max-matches -1'),
};

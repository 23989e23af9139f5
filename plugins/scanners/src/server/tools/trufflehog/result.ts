import type { Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { imageName, normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, position, text } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { secretDigest, withoutSecret } from '../../lib/secrets.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';

/** A result of version 3. */
export function resultFinding(record: Record<string, unknown>): NormalizedFinding {
  const [source, data] = sourceOf(record.SourceMetadata);
  const secret = rawText(record.Raw) ?? rawText(record.RawV2);
  const whole = rawText(record.RawV2);
  const safe = (value: unknown) => withoutSecret(withoutSecret(text(value), whole), secret);
  const ruleId = label(record.DetectorName) ?? 'secret';
  const extra = fields(record.ExtraData);
  const location = locationOf(data, safe);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(ruleId),
    type: 'Secrets' as const,
    severity: severityOf(record),
    description: paragraphs(
      verification(record),
      safe(record.DetectorDescription),
      originOf(data, safe),
      detailsOf(extra, safe),
    ),
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    cwe: [798],
    references: webAddresses(safe(data.link), extra.rotation_guide),
    locations: location === undefined ? undefined : [location],
    resource: resourceOf(data, safe),
    secretHash: secretDigest(secret),
    date: dateOf(data.timestamp),
    tags: tagsOf(record, source),
  });
}

/** `{"Data": {"Git": {…}}}`: the kind of source and what it says of the place. */
function sourceOf(metadata: unknown): [kind: string | undefined, data: Record<string, unknown>] {
  const [entry] = Object.entries(fields(fields(metadata).Data));
  return entry === undefined ? [undefined, fields(undefined)] : [label(entry[0]), fields(entry[1])];
}

/** Secrets keep their white space: the digest is of the secret as it stands in the code. */
function rawText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The tool does not rate. A secret that still works is worse than one that may be none. */
function severityOf(record: Record<string, unknown>): Severity {
  if (record.Verified === true) return 'critical';
  return label(record.VerificationError) === undefined ? 'medium' : 'high';
}

function verification(record: Record<string, unknown>): string | undefined {
  if (record.Verified === true) return 'The secret was tried and works.';
  if (label(record.VerificationError) !== undefined) return 'Whether the secret works could not be found out.';
  return record.Verified === false ? 'The secret was not confirmed to work.' : undefined;
}

type Safe = (value: unknown) => string | undefined;

function originOf(data: Record<string, unknown>, safe: Safe): string | undefined {
  const commit = safe(data.commit);
  if (commit === undefined) return undefined;
  const author = safe(data.email);
  return `Found in commit ${commit}${author === undefined ? '' : ` by ${author}`}.`;
}

function detailsOf(extra: Record<string, unknown>, safe: Safe): string | undefined {
  const lines = Object.entries(extra)
    .slice(0, 20)
    .flatMap(([name, value]) => {
      const said = safe(value);
      return said === undefined || name === 'rotation_guide' ? [] : [oneLine(`${name}: ${said}`)];
    });
  return lines.length === 0 ? undefined : lines.join('\n');
}

function locationOf(data: Record<string, unknown>, safe: Safe): Location | undefined {
  const path = normalisePath(safe(data.file) ?? safe(data.path) ?? safe(data.filename));
  return path === undefined ? undefined : defined({ path, startLine: position(data.line) });
}

/** What is not in a file: an image, a bucket, a channel, a page. */
function resourceOf(data: Record<string, unknown>, safe: Safe): string | undefined {
  const image = imageName(label(data.image));
  if (image !== undefined) return image;
  const named = [data.bucket, data.project_name, data.channel_name, data.issue, data.page, data.workspace_name];
  const found = named.map((value) => label(safe(value))).find((name) => name !== undefined);
  return found ?? (data.file === undefined ? label(safe(data.link)) : undefined);
}

/** Go adds the zone's name: `2022-06-16 10:17:40 -0700 PDT`. */
export function dateOf(value: unknown): string | undefined {
  return isoDate(label(value)?.replace(/ [A-Z]{2,5}$/, ''));
}

function tagsOf(record: Record<string, unknown>, source: string | undefined): string[] {
  const decoder = label(record.DecoderName);
  const tags = [source, decoder === 'PLAIN' ? undefined : decoder].filter((tag) => tag !== undefined);
  return [record.Verified === true ? 'verified' : 'unverified', ...tags.map((tag) => tag.toLowerCase())];
}

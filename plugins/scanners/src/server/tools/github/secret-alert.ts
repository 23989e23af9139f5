import type { Location, NormalizedFinding, Severity } from '@breakwater/sdk';
import { isoDate } from '../../lib/dates.ts';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { defined, fields, label, list } from '../../lib/read.ts';
import { webAddresses } from '../../lib/references.ts';
import { secretDigest, withoutSecret } from '../../lib/secrets.ts';
import { oneLine, paragraphs } from '../../lib/text.ts';
import { repositoryOf, said, suppressionOf } from './alerts.ts';
import { placeOf } from './code-alert.ts';

export function secretAlertFinding(alert: Record<string, unknown>): NormalizedFinding {
  const secret = typeof alert.secret === 'string' ? alert.secret : undefined;
  const safe = (value: string | undefined) => withoutSecret(value, secret);
  const ruleId = safe(label(alert.secret_type)) ?? 'secret';
  const first = fields(alert.first_location_detected);
  const places = [first, ...list(alert.locations).map((entry) => fields(fields(entry).details))];
  const locations = uniquePlaces(places);
  const closing = { state: alert.state, reason: alert.resolution, comment: safe(said(alert.resolution_comment)) };
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(safe(said(alert.secret_type_display_name)) ?? ruleId),
    type: 'Secrets' as const,
    severity: severityOf(alert),
    description: descriptionOf(alert, first),
    mitigation: 'Revoke the secret, then remove it from the code and its history.',
    cwe: [798],
    references: webAddresses(alert.html_url, ...places.flatMap((place) => Object.values(place)).filter(isPage)),
    locations: locations.length === 0 ? undefined : locations,
    secretHash: secretDigest(secret),
    fingerprint: label(alert.html_url) ?? label(alert.url),
    resource: repositoryOf(alert.repository),
    suppressed: suppressionOf(closing),
    date: isoDate(alert.created_at),
    tags: tagsOf(alert),
  });
}

/** GitHub does not rate secrets; it says whether one works and whether strangers can read it. */
function severityOf(alert: Record<string, unknown>): Severity {
  if (alert.validity === 'active' || alert.publicly_leaked === true) return 'critical';
  return alert.validity === 'inactive' ? 'low' : 'high';
}

function uniquePlaces(places: readonly Record<string, unknown>[]): Location[] {
  const found = new Map<string, Location>();
  for (const place of places.slice(0, LIMITS.locations)) {
    const path = normalisePath(place.path);
    if (path === undefined) continue;
    const made = placeOf(path, place);
    found.set(`${path} ${made.startLine ?? 0} ${made.startColumn ?? 0}`, made);
  }
  return [...found.values()];
}

/** Issues, comments and pull requests that hold the secret; addresses of the API are no pages. */
function isPage(value: unknown): boolean {
  return typeof value === 'string' && /^https:\/\//.test(value) && !/^https:\/\/[^/]*api[./]/.test(value);
}

function descriptionOf(alert: Record<string, unknown>, first: Record<string, unknown>): string | undefined {
  const commit = label(first.commit_sha);
  const parts = [
    commit === undefined ? undefined : `Found in commit ${commit}.`,
    alert.validity === 'active' ? 'GitHub found the secret to be valid.' : undefined,
    alert.publicly_leaked === true ? 'It was also found in public.' : undefined,
    alert.push_protection_bypassed === true ? 'Push protection was bypassed.' : undefined,
  ].filter((part) => part !== undefined);
  return paragraphs(parts.join(' '));
}

function tagsOf(alert: Record<string, unknown>): string[] | undefined {
  const validity = label(alert.validity);
  return validity === undefined ? undefined : [`validity:${validity}`];
}

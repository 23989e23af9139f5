import {
  ConnectorError,
  type Ctx,
  type FindingType,
  type Identity,
  type NormalizedFinding,
  readAnswer,
  type SyncRecord,
} from '@breakwater/sdk';
import type { FortifyForm } from '../../catalogue/services.ts';
import { cweNumbers } from '../lib/findings/identifiers.ts';
import { normalisePath } from '../lib/findings/packages.ts';
import { severityFromWord } from '../lib/findings/severity.ts';
import { isoDate, oneLine } from '../lib/findings/text.ts';
import { defined, label, position } from '../lib/values/read.ts';
import { suppressionOf } from '../tools/fortify/fvdl.ts';
import { type Ask, FIELDS, openSession, Release, type Vulnerability, VulnerabilityPage } from './fortify-session.ts';

/** Fortify's largest page. */
const LIMIT = 50;

/**
 * The issues of the release, suppressed ones included and marked. There is no cursor: the list moves while it is read, so half of an
 * old one and half of a new one would close findings that are still there.
 * Source: Fortify on Demand API v3, `GET /api/v3/releases/{releaseId}/vulnerabilities`.
 */
export async function* syncFortify(ctx: Ctx<FortifyForm>): AsyncIterable<SyncRecord> {
  const ask = await openSession(ctx);
  const id = ctx.config.release_id;
  const release = readAnswer(Release, await ask({ path: `/api/v3/releases/${id}` }));
  // Without an address: the portal's host depends on the data center, which only the operator's base URL knows.
  yield { kind: 'target', id, name: `${release.applicationName} ${release.releaseName}` };
  yield* issuesOf(ask, id);
}

/**
 * Each page begins with the last issue of the one before: when it does not, an issue was added or removed meanwhile and another has slipped
 * through between the pages. The list has no order that could be asked for instead.
 */
async function* issuesOf(ask: Ask, release: string): AsyncIterable<SyncRecord> {
  const path = `/api/v3/releases/${release}/vulnerabilities`;
  let last: number | undefined;
  for (let offset = 0; ; offset += LIMIT - 1) {
    const query = { offset, limit: LIMIT, fields: FIELDS, includeSuppressed: true };
    const { items, totalCount } = readAnswer(VulnerabilityPage, await ask({ path, query }));
    const fresh = last === undefined ? items : items.slice(1);
    if (last !== undefined && items[0]?.id !== last) {
      throw new ConnectorError('upstream', 'The list of issues changed while it was read.', {
        help: 'Nothing needs to be done: it is read again.',
      });
    }
    for (const issue of fresh) yield findingOf(issue);
    last = items.at(-1)?.id;
    if (offset + items.length >= totalCount) return;
    if (items.length < LIMIT) throw new ConnectorError('upstream', 'Fortify on Demand left issues out of a list.');
  }
}

/** The release, read as the API key. Source: Fortify on Demand API v3, `GET /api/v3/releases/{releaseId}`. */
export async function checkFortify(ctx: Ctx<FortifyForm>): Promise<Identity> {
  const ask = await openSession(ctx);
  const release = readAnswer(Release, await ask({ path: `/api/v3/releases/${ctx.config.release_id}` }));
  return { identity: `${release.applicationName} · ${release.releaseName}` };
}

/** Kinds of scan by their name at Fortify, lower case. What is not listed is code. */
const TYPES: Readonly<Record<string, FindingType>> = { dynamic: 'DAST', opensource: 'SCA', 'open source': 'SCA' };

/**
 * An issue of Fortify on Demand in the words of the importer of Fortify's reports: rule, path and fingerprint are the same. The list
 * holds no code, so an uploaded finding that has some is recognised by rule, path and line instead.
 */
function findingOf(issue: Vulnerability): NormalizedFinding {
  const path = normalisePath(issue.primaryLocationFull ?? issue.primaryLocation);
  const kingdom = label(issue.kingdom);
  return defined({
    kind: 'finding' as const,
    ruleId: issue.category,
    title: oneLine(issue.category),
    type: TYPES[(issue.scantype ?? '').toLowerCase()] ?? ('SAST' as const),
    severity: severityFromWord(issue.severityString) ?? ('informational' as const),
    nativeSeverity: issue.severityString,
    cwe: cweNumbers((issue.cwe ?? '').replaceAll('CWE ID ', 'CWE-')),
    locations: path === undefined ? undefined : [defined({ path, startLine: position(issue.lineNumber) })],
    fingerprint: label(issue.instanceId),
    policy: kingdom === undefined ? undefined : { category: kingdom },
    suppressed: suppressionOf({
      isSuppressed: issue.isSuppressed === true,
      analysis: label(issue.auditorStatus),
      comment: undefined,
    }),
    date: isoDate(issue.introducedDate),
  });
}

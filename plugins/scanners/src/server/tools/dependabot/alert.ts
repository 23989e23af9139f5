// no text in this file: what findings say is stored in English
import type { NormalizedFinding } from '@breakwater/sdk';
import { Type } from 'typebox';
import { cweNumbers, identifiers, webAddresses } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { chooseCvss, cvss, severityNumber, vulnerabilitySeverity } from '../../lib/findings/severity.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { defined, fields, label, list, number, oneOrMore, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { suppressionOf } from '../github/parser.ts';

const AnyObject = Type.Object({});

/** An alert of the REST API. Source: GitHub REST API 2022-11-28, "List Dependabot alerts". */
const RestAlert = Type.Object({
  security_advisory: Type.Optional(AnyObject),
  security_vulnerability: AnyObject,
  dependency: Type.Optional(AnyObject),
});
export const restAlertCheck = recordCheck(RestAlert);

/** A `RepositoryVulnerabilityAlert`. Source: GitHub GraphQL API; queries choose their fields. */
const GraphAlert = Type.Object({ securityVulnerability: AnyObject });
export const graphAlertCheck = recordCheck(GraphAlert);
export const edgeCheck = recordCheck(Type.Object({ node: GraphAlert }));

type Fields = Record<string, unknown>;

/** What an alert of either API says. */
interface AlertFacts {
  advisory: Fields;
  /** Package, range and fix; of several packages of an advisory the one concerned. */
  vulnerability: Fields;
  /** Manifest or lock file. */
  manifest: unknown;
  version: string | undefined;
  closing: { state: unknown; reason: unknown; comment: unknown };
  createdAt: unknown;
  links: readonly unknown[];
  tags: readonly unknown[];
  repository: string | undefined;
}

/** GitHub's names of ecosystems, by the type of their package URLs. */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['pip', 'pypi'],
  ['rubygems', 'gem'],
  ['go', 'golang'],
  ['rust', 'cargo'],
  ['erlang', 'hex'],
  ['actions', 'githubactions'],
]);

export function alertFinding(facts: AlertFacts): NormalizedFinding {
  const { advisory, vulnerability, repository } = facts;
  const ids = idsOf(advisory);
  const ruleId = ids[0] ?? label(advisory.summary) ?? 'unnamed advisory';
  const packageFields = fields(vulnerability.package);
  const name = label(packageFields.name);
  const patched = vulnerability.firstPatchedVersion ?? vulnerability.first_patched_version;
  const fixedVersion = label(fields(patched).identifier) ?? label(patched);
  const nativeSeverity = label(vulnerability.severity) ?? label(advisory.severity);
  const rating = chooseCvss(ratingsOf(advisory));
  const severity = vulnerabilitySeverity(nativeSeverity, rating.cvssScore);
  const path = normalisePath(facts.manifest);
  const tags = facts.tags.map(label).filter((tag) => tag !== undefined);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(text(advisory.summary) ?? (name === undefined ? ruleId : `${ruleId} in ${name}`)),
    type: 'SCA' as const,
    severity,
    nativeSeverity,
    severityNumerical: severityNumber(severity, rating.cvssScore),
    description: text(advisory.description),
    mitigation:
      fixedVersion === undefined ? undefined : `Upgrade ${name ?? 'the package'} to ${fixedVersion} or later.`,
    cwe: cweNumbers(cweIdsOf(advisory.cwes)),
    ...identifiers(...ids),
    ...rating,
    epss: epssOf(advisory.epss),
    references: webAddresses(...facts.links, advisory.permalink, ...referencesOf(advisory)),
    component:
      name === undefined
        ? undefined
        : defined({ name, version: facts.version, ecosystem: ecosystemOf(packageFields.ecosystem), fixedVersion }),
    locations: path === undefined ? undefined : [{ path }],
    resource: repository,
    suppressed: suppressionOf(facts.closing),
    date: isoDate(facts.createdAt),
    tags: tags.length === 0 ? undefined : tags.map((tag) => tag.toLowerCase()),
  });
}

/** The advisory's own id first. */
function idsOf(advisory: Fields): string[] {
  const listed = list(advisory.identifiers).map((entry) => label(fields(entry).value));
  const own = [advisory.ghsaId, advisory.ghsa_id].map(label);
  const named = [...own, ...listed, label(advisory.cve_id)].filter((id) => id !== undefined);
  return [...new Set(named)];
}

function ratingsOf(advisory: Fields) {
  const versions = fields(advisory.cvss_severities ?? advisory.cvssSeverities);
  const entries = [
    [advisory.cvss, undefined],
    [versions.cvss_v3 ?? versions.cvssV3, '3.1'],
    [versions.cvss_v4 ?? versions.cvssV4, '4.0'],
  ] as const;
  return entries.map(([value, version]) => {
    const entry = fields(value);
    const score = number(entry.score);
    const vector = label(entry.vector_string) ?? label(entry.vectorString);
    // 0 without a vector is how GitHub writes "not rated".
    return cvss(version, score === 0 ? undefined : score, vector);
  });
}

/** `{nodes: [{cweId}]}` or `[{cwe_id}]`. */
function cweIdsOf(value: unknown): unknown[] {
  const entries = [...list(value), ...list(fields(value).nodes), ...list(fields(value).edges)];
  return entries.map((entry) => {
    const cwe = fields(fields(entry).node ?? entry);
    return cwe.cwe_id ?? cwe.cweId;
  });
}

/** GitHub's "percentage" is a share. */
function epssOf(value: unknown): NormalizedFinding['epss'] {
  const entry = fields(oneOrMore(value)[0]);
  const probability = number(entry.percentage);
  const percentile = number(entry.percentile);
  if (probability === undefined || probability < 0 || probability > 1) return undefined;
  const isShare = percentile !== undefined && percentile >= 0 && percentile <= 1;
  return defined({ probability, percentile: isShare ? percentile : undefined });
}

function referencesOf(advisory: Fields): unknown[] {
  return list(advisory.references).map((entry) => fields(entry).url ?? entry);
}

function ecosystemOf(value: unknown): string | undefined {
  const name = label(value)?.toLowerCase();
  return name === undefined ? undefined : (ECOSYSTEMS.get(name) ?? name);
}

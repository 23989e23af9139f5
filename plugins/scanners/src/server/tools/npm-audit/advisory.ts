// no text in this file: what findings say is stored in English
import type { NormalizedFinding } from '@breakwater/sdk';
import { Type } from 'typebox';
import { identifiersIn } from '../../lib/findings/identifiers.ts';
import { normalisePath } from '../../lib/findings/packages.ts';
import { cvss } from '../../lib/findings/severity.ts';
import { isoDate, paragraphs } from '../../lib/findings/text.ts';
import { endsOf, startsOf, vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { fields, isRecord, label, labels, list, oneOrMore, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

type Fields = Record<string, unknown>;

/** An advisory of the registry, as npm 6, pnpm and Yarn 1 to 3 write it. Source: npm's audit endpoint, "security/audits". */
export const advisoryCheck = recordCheck(
  Type.Object({ module_name: Type.String({ minLength: 1 }), title: Type.Optional(Type.Unknown()) }),
);

/** More ways to a package than a reader wants to see; all of them are never a different result. */
const MAX_WAYS = 20;

/** One finding for each version of the package that is installed: `findings` names it and the ways that lead to it. */
export function* advisoryFindings(value: object): Generator<NormalizedFinding> {
  const advisory = fields(value);
  const installed = list(advisory.findings).filter(isRecord);
  for (const one of installed.length === 0 ? [undefined] : installed) yield advisoryFinding(advisory, one);
}

function advisoryFinding(advisory: Fields, installed: Fields | undefined): NormalizedFinding {
  const name = label(advisory.module_name) ?? 'unnamed package';
  const rating = fields(advisory.cvss);
  const patched = label(advisory.patched_versions);
  const fixed = startsOf(patched);
  const recommendation = text(advisory.recommendation);
  return vulnerabilityFinding({
    ids: [...advisoryIds(advisory.github_advisory_id, advisory.url, advisory.id), ...labels(advisory.cves)],
    title: text(advisory.title),
    description: paragraphs(text(advisory.overview), waysOf(name, list(installed?.paths))),
    mitigation: recommendation === 'None' ? undefined : recommendation,
    nativeSeverity: label(advisory.severity),
    ratings: [cvss(undefined, rating.score, rating.vectorString)],
    cwe: [advisory.cwe],
    references: [advisory.url, ...linksOf(advisory.references)],
    package: {
      ...{ name, version: label(installed?.version), ecosystem: 'npm' },
      fixed: patched === undefined ? endsOf(label(advisory.vulnerable_versions)) : fixed,
    },
    tags: [installed?.dev === true ? 'development' : undefined],
  });
}

/** `GHSA-…` names an advisory for good; the registry's own number is given anew with each edit and names it only where there is no other. */
export function advisoryIds(ghsa: unknown, url: unknown, number: unknown): string[] {
  const named = [label(ghsa), ...identifiersIn(label(url) ?? '')].filter((id) => id !== undefined);
  const own = label(number);
  if (named.length > 0 || own === undefined) return named;
  return [/^\d{1,12}$/.test(own) ? `NPM-${own}` : own];
}

function waysOf(name: string, ways: readonly unknown[]): string | undefined {
  const known = ways.map((way) => label(way)).filter((way) => way !== undefined && way !== name);
  if (known.length === 0) return undefined;
  const more = known.length > MAX_WAYS ? [`- and ${known.length - MAX_WAYS} more`] : [];
  return ['Required by:', ...known.slice(0, MAX_WAYS).map((way) => `- ${way}`), ...more].join('\n');
}

/** A list of addresses, or Markdown with addresses in it. */
function linksOf(value: unknown): string[] {
  return oneOrMore(value)
    .slice(0, 100)
    .flatMap((entry) => (text(entry, 20_000) ?? '').match(/https?:\/\/[^\s()<>[\]"'`]{1,2000}/g) ?? []);
}

/** An entry of `vulnerabilities`. Source: npm 7 and later, @npmcli/metavuln-calculator and `npm audit --json`. */
export const packageCheck = recordCheck(
  Type.Object({ name: Type.String({ minLength: 1 }), via: Type.Array(Type.Unknown()) }),
);

/**
 * Packages of npm 7 and later, by name. An advisory of a package is a result; a package that is only listed because it needs another one
 * has none of its own, and is named by the finding of that one.
 */
export class AuditedPackages {
  private readonly packages: ReadonlyMap<string, Fields>;
  /** Names of those that need a package. */
  private readonly dependents = new Map<string, string[]>();

  constructor(packages: ReadonlyMap<string, Fields>) {
    this.packages = packages;
    for (const [name, entry] of packages)
      for (const via of list(entry.via)) {
        const needed = label(via);
        if (needed === undefined) continue;
        const known = this.dependents.get(needed);
        if (known === undefined) this.dependents.set(needed, [name]);
        else known.push(name);
      }
  }

  *findings(): Generator<NormalizedFinding> {
    const named = new Set<string>();
    for (const [name, entry] of this.packages) {
      const advisories = list(entry.via).filter(isRecord);
      if (advisories.length === 0) continue;
      const needing = this.needing(name);
      for (const other of [name, ...needing]) named.add(other);
      for (const advisory of advisories) yield viaFinding(advisory, entry, needing);
    }
    // What no advisory leads to is no less a result.
    for (const [name, entry] of this.packages) if (!named.has(name)) yield viaFinding({}, entry, []);
  }

  /** All packages that need this one, directly or through others. */
  private needing(name: string): string[] {
    const found = new Set([name]);
    for (const next of found) {
      if (found.size > MAX_NEEDING) break;
      for (const other of this.dependents.get(next) ?? []) found.add(other);
    }
    found.delete(name);
    return [...found];
  }
}

/** Beyond this, who needs a package is not followed: a report of n packages would take n² steps. */
const MAX_NEEDING = 2_000;

function viaFinding(advisory: Fields, entry: Fields, needing: readonly string[]): NormalizedFinding {
  const name = label(entry.name) ?? 'unnamed package';
  const rating = fields(advisory.cvss);
  const range = label(advisory.range) ?? label(entry.range);
  const fix = fields(entry.fixAvailable);
  const fixName = label(fix.name);
  const fixVersion = label(fix.version);
  const own = fixName === name && fixVersion !== undefined ? [fixVersion] : [];
  const nodes = list(entry.nodes).map(normalisePath);
  const ids = advisoryIds(undefined, advisory.url, advisory.source);
  const through = list(entry.via)
    .map((via) => label(via))
    .filter((via) => via !== undefined);
  return vulnerabilityFinding({
    ids: ids.length > 0 ? ids : [`npm-vulnerable-${name}`],
    title:
      text(advisory.title) ?? `${name} depends on vulnerable versions of ${through.join(', ') || 'other packages'}`,
    description: paragraphs(
      range === undefined ? undefined : `Vulnerable versions: ${range}`,
      waysOf(name, needing),
      nodes.length === 0 ? undefined : `Installed in ${nodes.slice(0, MAX_WAYS).join(', ')}`,
    ),
    mitigation:
      fixName === undefined || fixVersion === undefined
        ? undefined
        : `Upgrade ${fixName} to ${fixVersion}${fix.isSemVerMajor === true ? ', a release that breaks compatibility' : ''}.`,
    nativeSeverity: label(advisory.severity) ?? label(entry.severity),
    ratings: [cvss(undefined, Number(rating.score) === 0 ? undefined : rating.score, rating.vectorString)],
    cwe: [advisory.cwe],
    references: [advisory.url],
    package: { name, ecosystem: 'npm', fixed: own.length > 0 ? own : endsOf(label(advisory.range)) },
    published: isoDate(advisory.created),
    tags: [entry.isDirect === true ? 'direct' : undefined],
  });
}

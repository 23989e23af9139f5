import { cvss } from '../../lib/findings/severity.ts';
import { isoDate, paragraphs } from '../../lib/findings/text.ts';
import type { VulnerabilityFacts } from '../../lib/findings/vulnerability.ts';
import { fields, label, labels, list, text } from '../../lib/values/read.ts';

type Fields = Record<string, unknown>;

/** Ecosystems of OSV by the type of their package URLs. Source: OSV schema 1.7, "affected[].package". */
const ECOSYSTEMS: ReadonlyMap<string, string> = new Map([
  ['crates.io', 'cargo'],
  ['go', 'golang'],
  ['packagist', 'composer'],
  ['rubygems', 'gem'],
  ['github actions', 'githubactions'],
  ['debian', 'deb'],
  ['ubuntu', 'deb'],
  ['alpine', 'apk'],
  ['red hat', 'rpm'],
  ['rocky linux', 'rpm'],
  ['almalinux', 'rpm'],
  ['opensuse', 'rpm'],
  ['suse', 'rpm'],
]);

/** `Debian:12` is `deb`. */
export function ecosystemOf(value: unknown): string | undefined {
  const name = label(value)?.split(':', 1)[0]?.toLowerCase();
  return name === undefined ? undefined : (ECOSYSTEMS.get(name) ?? name);
}

type AdvisoryFacts = Omit<VulnerabilityFacts, 'package' | 'paths'>;

/** What a record of OSV's schema says of the vulnerability itself. Source: OSV schema 1.0 to 1.7. */
export function advisoryFacts(advisory: Fields): AdvisoryFacts {
  const own = fields(advisory.database_specific);
  const affected = list(advisory.affected).map(fields);
  const ratings = list(advisory.severity).map((entry) => {
    const { type, score } = fields(entry);
    return /^CVSS/.test(label(type) ?? '') ? cvss(undefined, undefined, score) : undefined;
  });
  return {
    ids: [label(advisory.id), ...labels(advisory.aliases)],
    title: text(advisory.summary),
    description: paragraphs(text(advisory.summary), text(advisory.details)),
    nativeSeverity: label(own.severity) ?? label(advisory.severity),
    ratings,
    cwe: [
      own.cwe_ids,
      ...[own, ...affected.map((entry) => fields(entry.database_specific))].flatMap(({ cwes }) =>
        list(cwes).map((cwe) => fields(cwe).cweId),
      ),
    ],
    references: [own.url, ...list(advisory.references).map((entry) => fields(entry).url)],
    published: isoDate(advisory.published),
  };
}

/** The first versions without the vulnerability, of one package. */
export function fixedIn(advisory: Fields, ecosystem: string | undefined, name: string): string[] {
  const concerned = list(advisory.affected)
    .map(fields)
    .filter((entry) => {
      const known = fields(entry.package);
      return label(known.name) === name && (ecosystem === undefined || ecosystemOf(known.ecosystem) === ecosystem);
    });
  return concerned
    .flatMap((entry) => list(entry.ranges).map(fields))
    .filter(({ type }) => type !== 'GIT')
    .flatMap((range) => list(range.events).map((event) => label(fields(event).fixed)))
    .filter((version) => version !== undefined);
}

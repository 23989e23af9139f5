import type { NormalizedFinding, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { scanFailures } from '../../lib/findings/coverage.ts';
import { isoDate, oneLine } from '../../lib/findings/text.ts';
import { endsOf, vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { headText } from '../../lib/input/decode.ts';
import { type JsonFormat, type Tally, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, isRecord, label, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

type Fields = Record<string, unknown>;

const NAME = 'composer audit';
const FORMAT: JsonFormat = {
  name: NAME,
  shape: {
    advisories: 'value',
    'ignored-advisories': 'value',
    abandoned: 'value',
    'unreachable-repositories': 'value',
  },
};

/** Source: composer/composer src/Composer/Advisory/Auditor.php and SecurityAdvisory.php, versions 2.4 to 2.9. */
const advisoryCheck = recordCheck(Type.Object({ advisoryId: Type.String({ minLength: 1 }) }));

function recogniseComposer(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (!hasKeys(sketch, 'advisories')) return 0;
  if (hasKeys(sketch, 'abandoned') || hasKeys(sketch, 'ignored-advisories')) return 0.97;
  if (/"advisoryId"\s*:/.test(headText(head).toString('utf8'))) return 0.97;
  return sketch.keys.size === 1 &&
    /^\s*\{\s*"advisories"\s*:\s*(?:\[\s*\]|\{\s*\})\s*\}/.test(headText(head).toString())
    ? 0.85
    : 0;
}

const createReader = (tally: Tally): StreamReader => ({
  lists: {
    report: () => {
      throw wrongTool(NAME, 'it has no “advisories”');
    },
  },
  *document({ values }) {
    const advisories = values.get('advisories');
    if (!isRecord(advisories) && !Array.isArray(advisories)) throw wrongTool(NAME, 'it has no “advisories”');
    yield { kind: 'report', toolName: NAME };
    yield* byPackage(advisories, 'advisories', tally);
    yield* byPackage(values.get('ignored-advisories'), 'ignored-advisories', tally);
    for (const [name, replacement] of Object.entries(fields(values.get('abandoned'))))
      yield abandonedFinding(name.slice(0, 300), label(replacement));
    yield* scanFailures(
      list(values.get('unreachable-repositories')).map((repository) => ({ repository })),
      ({ repository }) => `${label(repository) ?? 'A repository'} could not be reached.`,
    );
  },
});

/** Lists by the name of their package; PHP writes an empty map as a list, and a list with gaps as a map. */
function* byPackage(packages: unknown, where: string, tally: Tally): Generator<ReportRecord> {
  for (const [name, entries] of Object.entries(fields(packages)))
    for (const [index, entry] of (Array.isArray(entries) ? list(entries) : Object.values(fields(entries))).entries()) {
      if (advisoryCheck.accepts(entry)) {
        tally.readable += 1;
        yield advisoryFinding(fields(entry), name.slice(0, 300), where === 'ignored-advisories');
      } else yield* tally.addUnreadable(`${where}.${name.slice(0, 100)}[${index}]`, advisoryCheck.issue());
    }
}

function advisoryFinding(advisory: Fields, key: string, isIgnored: boolean): NormalizedFinding {
  const sources = list(advisory.sources).map((source) => label(fields(source).remoteId));
  const affected = label(advisory.affectedVersions);
  return vulnerabilityFinding({
    ids: [label(advisory.advisoryId), label(advisory.cve), ...sources.filter((id) => id?.startsWith('GHSA-'))],
    title: text(advisory.title),
    description: affected === undefined ? undefined : `Vulnerable versions: ${affected}`,
    nativeSeverity: label(advisory.severity),
    references: [advisory.link],
    package: {
      name: label(advisory.packageName) ?? key,
      ecosystem: 'composer',
      fixed: endsOf(affected),
    },
    published: isoDate(advisory.reportedAt),
    suppressed: isIgnored
      ? { verdict: 'accepted_risk', reason: oneLine(label(advisory.ignoreReason) ?? 'Ignored by the configuration.') }
      : undefined,
  });
}

function abandonedFinding(name: string, replacement: string | undefined): NormalizedFinding {
  return vulnerabilityFinding({
    ids: ['abandoned'],
    title: `${name} is abandoned`,
    // no text: part of a finding
    mitigation: replacement === undefined ? 'Use another package.' : `Use ${replacement} in its place.`,
    package: { name: name || 'unnamed package', ecosystem: 'composer' },
  });
}

export const composerAudit: ReportParser = {
  tool: 'composer-audit',
  formats: ['json'],
  reads: { part: {}, failure: ['`unreachable-repositories`'], identity: 'advisory and package' },
  recognise: recogniseComposer,
  parse: (report, options) => readJson(report, options, FORMAT, createReader),
};

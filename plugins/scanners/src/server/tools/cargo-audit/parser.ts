import type { NormalizedFinding, ReportParser, ReportRecord } from '@breakwater/sdk';
import { Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { cvss } from '../../lib/findings/severity.ts';
import { isoDate } from '../../lib/findings/text.ts';
import { vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { type JsonFormat, type Tally, wrongTool } from '../../lib/json/records.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { hasKeys, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, isRecord, label, labels, list, number, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

type Fields = Record<string, unknown>;

const NAME = 'cargo audit';
const FORMAT: JsonFormat = {
  name: NAME,
  shape: {
    database: 'value',
    lockfile: 'value',
    settings: 'value',
    vulnerabilities: { object: { found: 'value', count: 'value', list: 'records' } },
    warnings: 'value',
  },
};

/** Source: rustsec crate, report.rs and warning.rs, versions 0.12 to 0.30. A yanked version has no advisory. */
const match = recordCheck(Type.Object({ advisory: Type.Object({ id: Type.String() }), package: Type.Object({}) }));
const warning = recordCheck(Type.Object({ package: Type.Object({}) }));

function recogniseCargo(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (hasKeys(sketch, 'database', 'lockfile') && sketch.root === 'object') return 0.97;
  return hasKeys(sketch, 'lockfile', 'vulnerabilities') ? 0.9 : 0;
}

const createReader = (tally: Tally): StreamReader => {
  const matches = { check: match, read: (record: object) => matchFinding(fields(record), undefined) };
  return {
    lists: {
      list: () => matches,
      report: () => {
        throw wrongTool(NAME, 'it has no “vulnerabilities”');
      },
    },
    *document(node) {
      yield { kind: 'report', toolName: NAME };
      yield* warnings(node.values.get('warnings'), tally);
      yield* failures(node);
    },
  };
};

/** By kind; before version 0.14 a bare list. */
function* warnings(value: unknown, tally: Tally): Generator<ReportRecord> {
  const kinds = Array.isArray(value) ? [['', value] as const] : Object.entries(fields(value));
  for (const [kind, entries] of kinds)
    for (const [index, entry] of list(entries).entries()) {
      if (warning.accepts(entry)) {
        tally.readable += 1;
        yield matchFinding(fields(entry), label(fields(entry).kind) ?? kind);
      } else yield* tally.addUnreadable(`warnings.${kind.slice(0, 100)}[${index}]`, warning.issue());
    }
}

function* failures(node: JsonNode): Generator<ReportRecord> {
  const found = node.child('vulnerabilities');
  if (found === undefined) throw wrongTool(NAME, 'it has no “vulnerabilities”');
  const count = number(found.values.get('count')) ?? 0;
  if (!found.isListed('list') && (count > 0 || found.values.get('found') === true))
    yield scanFailure(`The report counts ${count} vulnerabilities, but none is listed.`);
  if (number(fields(node.values.get('lockfile'))['dependency-count']) === 0)
    yield scanFailure('The lock file names no dependency.');
}

function matchFinding(record: Fields, kind: string | undefined): NormalizedFinding {
  const advisory = fields(record.advisory);
  const crate = fields(record.package);
  const name = label(crate.name) ?? 'unnamed crate';
  const version = label(crate.version);
  return vulnerabilityFinding({
    ids: isRecord(record.advisory) ? [label(advisory.id), ...labels(advisory.aliases)] : [kind || 'warning'],
    title: text(advisory.title) ?? (kind === undefined ? undefined : `${name} ${version ?? ''} is ${kind}`),
    description: text(advisory.description),
    ratings: [cvss(undefined, undefined, advisory.cvss)],
    references: [advisory.url, ...labels(advisory.references)],
    package: { name, version, ecosystem: 'cargo', fixed: labels(fields(record.versions).patched).flatMap(firstOf) },
    published: isoDate(advisory.date),
    tags: [kind, ...labels(advisory.categories)],
  });
}

/** `>=0.13.10, <0.14.0` begins with 0.13.10. */
const firstOf = (range: string): string[] => {
  const version = /^(?:>=|\^|=)?\s*(\d[\w.+-]{0,80})/.exec(range)?.[1];
  return version === undefined ? [] : [version];
};

export const cargoAudit: ReportParser = {
  tool: 'cargo-audit',
  formats: ['json'],
  reads: {
    part: {},
    failure: ['`vulnerabilities.count` above 0 without `list`', '`lockfile.dependency-count` is 0'],
    identity: 'advisory and crate',
  },
  recognise: recogniseCargo,
  parse: (report, options) => readJson(report, options, FORMAT, createReader),
};

import type { NormalizedFinding, ReportParser, ReportRecord } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { scanFailure } from '../../lib/findings/coverage.ts';
import { vulnerabilityFinding } from '../../lib/findings/vulnerability.ts';
import { type JsonFormat, wrongTool } from '../../lib/json/records.ts';
import { hasKeys, innerHas, sketchJson } from '../../lib/json/sketch.ts';
import { readJson, type StreamReader } from '../../lib/json/stream-parser.ts';
import { fields, label, labels, list, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';

const NAME = 'pip-audit';
const FORMAT: JsonFormat = { name: NAME, shape: { dependencies: 'records', fixes: 'value' }, emptyForms: ['[]'] };

/** Source: pip_audit/_format/json.py, versions 0.0.2 to 2.9: a bare list before 2.0; one that was skipped has no `vulns`. */
const Dependency = Type.Object({
  name: Type.String({ minLength: 1 }),
  vulns: Type.Optional(Type.Array(Type.Unknown())),
});
type Dependency = Static<typeof Dependency>;

function recognisePipAudit(head: Uint8Array): number {
  const sketch = sketchJson(head);
  if (sketch.root === 'array') {
    const isSkipped = hasKeys(sketch, 'name', 'skip_reason');
    return isSkipped || hasKeys(sketch, 'name', 'version', 'vulns') ? 0.97 : 0;
  }
  const isDependency = innerHas(sketch, 'dependencies', 'name', 'vulns');
  if (isDependency || innerHas(sketch, 'dependencies', 'name', 'skip_reason')) return 0.97;
  return hasKeys(sketch, 'dependencies', 'fixes') && sketch.keys.size === 2 ? 0.85 : 0;
}

const createReader = (): StreamReader => {
  const skipped: string[] = [];
  let audited = 0;
  const dependencies = {
    check: recordCheck(Dependency),
    *read(dependency: Dependency): Generator<ReportRecord> {
      const { name, version, vulns, skip_reason } = fields(dependency);
      if (vulns === undefined) skipped.push(text(skip_reason) ?? `${label(name)} was skipped.`);
      else audited += 1;
      for (const vuln of list(vulns)) yield dependencyFinding(label(name) ?? '', label(version), fields(vuln));
    },
  };
  return {
    lists: { dependencies: () => dependencies, report: () => dependencies },
    document(node) {
      if (!node.lists.has('dependencies')) throw wrongTool(NAME, 'it has no “dependencies”');
      return [];
    },
    *end() {
      yield { kind: 'report', toolName: NAME };
      // Single ones are left out of most scans: those that are no packages of the index. Their findings cannot have been there.
      if (audited === 0) yield scanFailure(skipped[0] ?? 'No dependency was audited.');
    },
  };
};

function dependencyFinding(
  name: string,
  version: string | undefined,
  vuln: Record<string, unknown>,
): NormalizedFinding {
  return vulnerabilityFinding({
    ids: [label(vuln.id), ...labels(vuln.aliases)],
    description: text(vuln.description),
    package: { name, version, ecosystem: 'pypi', fixed: labels(vuln.fix_versions) },
  });
}

export const pipAudit: ReportParser = {
  tool: 'pip-audit',
  formats: ['json'],
  reads: { part: {}, failure: ['no dependency that was audited'], identity: 'vulnerability and package' },
  recognise: recognisePipAudit,
  parse: (report, options) => readJson(report, options, FORMAT, createReader),
};

import type { NormalizedFinding, ReportRecord } from '@breakwater/sdk';
import { fields, list } from '../../lib/read.ts';
import type { Tally } from '../../lib/records.ts';
import type { RecordCheck } from '../../lib/schema.ts';
import { misconfigurationFinding, secretFinding } from './other-findings.ts';
import { anyRecordCheck, misconfigurationCheck, vulnerabilityCheck } from './schema.ts';
import { type Scan, targetOf } from './target.ts';
import { vulnerabilityFinding } from './vulnerability.ts';

/** Findings of a workload whose targets are parts of one record. */
export function* workloadFindings(
  results: readonly unknown[],
  owner: Record<string, unknown>,
  scan: Scan,
  tally: Tally,
): Generator<ReportRecord> {
  for (const result of results.map(fields)) {
    const target = targetOf(
      (name) => result[name],
      scan,
      (name) => owner[name],
    );
    yield* listed(tally, result.Vulnerabilities, vulnerabilityCheck, (record) => vulnerabilityFinding(record, target));
    yield* listed(tally, result.Misconfigurations, misconfigurationCheck, (r) => misconfigurationFinding(r, target));
    yield* listed(tally, result.Secrets, anyRecordCheck, (record) => secretFinding(record, target));
  }
}

function* listed<T>(
  tally: Tally,
  value: unknown,
  check: RecordCheck<T>,
  normalise: (record: T) => NormalizedFinding | undefined,
): Generator<ReportRecord> {
  for (const record of list(value)) {
    if (!check.accepts(record)) {
      yield* tally.fault('a record of a workload', check.fault());
      continue;
    }
    const finding = normalise(record);
    if (finding !== undefined) yield finding;
  }
}

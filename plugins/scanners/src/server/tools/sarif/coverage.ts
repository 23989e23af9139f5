import type { ReportConventions, ReportCoverage, ScanFailure } from '@breakwater/sdk';
import { partOf, scanFailure, scanFailures } from '../../lib/findings/coverage.ts';
import type { JsonNode } from '../../lib/json/report.ts';
import { fields, label } from '../../lib/values/read.ts';

export const SARIF_CONVENTIONS: ReportConventions = {
  part: {
    category: '`runs[].automationDetails.id` up to its last `/`',
    tools: '`runs[].tool.driver.name`, where runs of several tools are in one file',
  },
  failure: [
    '`invocations[].executionSuccessful` is false',
    'a notification of level `error`',
    'a run without `results`, or with null',
  ],
  identity: 'rule, path and code; fingerprints where there is no code',
};

/** Conventions of a tool that writes SARIF beside a format of its own. */
export const orSarif = (own: ReportConventions): ReportConventions => ({
  ...own,
  part: { ...own.part, ...SARIF_CONVENTIONS.part },
  failure: [...own.failure, 'SARIF: as `sarif`'],
});

/** `category/run` as SARIF has it; what stands behind the last `/` names the run. Source: SARIF 2.1.0 §3.17.3. */
function categoryOf(run: JsonNode): string | undefined {
  const id = label(fields(run.values.get('automationDetails')).id);
  if (id === undefined) return undefined;
  const end = id.lastIndexOf('/');
  return end < 0 ? id : id.slice(0, end);
}

/** What the runs of one file say of their scans. */
export function* coverageOf(
  runs: readonly JsonNode[],
  driverOf: (run: JsonNode) => string,
): Generator<ReportCoverage | ScanFailure> {
  const drivers = new Set(runs.map(driverOf));
  for (const run of runs) {
    yield* partOf({ category: categoryOf(run), tools: drivers.size > 1 ? driverOf(run) : undefined });
    if (!run.isListed('results')) yield scanFailure(`The run of ${driverOf(run)} has no results.`);
    for (const invocation of run.children.get('invocations') ?? []) yield* failuresOf(invocation, driverOf(run));
  }
  if (runs.length === 0) yield scanFailure('The file has no runs.');
}

function* failuresOf({ values }: JsonNode, driver: string): Generator<ScanFailure> {
  if (values.get('executionSuccessful') === false) {
    const why = label(values.get('exitCodeDescription')) ?? label(values.get('exitSignalName'));
    yield scanFailure(`The run of ${driver} was not successful${why === undefined ? '' : `: ${why}`}.`);
  }
  for (const name of ['toolExecutionNotifications', 'toolConfigurationNotifications']) {
    yield* scanFailures(values.get(name), ({ level, message }) => {
      const { text, markdown } = fields(message);
      return level === 'error' ? (label(text) ?? label(markdown) ?? `${driver} reports an error.`) : undefined;
    });
  }
}

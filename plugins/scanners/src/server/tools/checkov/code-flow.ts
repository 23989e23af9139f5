import type { Location } from '@breakwater/sdk';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { clean, defined, fields, list, position } from '../../lib/read.ts';

/** Steps of a taint trace. Source: checkov/common/sast/report_types.py, `metadata.taint_mode.data_flow`. */
export function codeFlowsOf(metadata: unknown): Location[][] | undefined {
  const steps = list(fields(fields(metadata).taint_mode).data_flow)
    .slice(0, LIMITS.flowSteps)
    .flatMap((step) => stepOf(fields(step)));
  return steps.length === 0 ? undefined : [steps];
}

function stepOf(step: Record<string, unknown>): Location[] {
  const path = normalisePath(step.path);
  if (path === undefined) return [];
  const start = fields(step.start);
  const end = fields(step.end);
  const code = step.code_block;
  return [
    defined({
      path,
      startLine: position(start.row),
      endLine: position(end.row),
      startColumn: position(start.column),
      endColumn: position(end.column),
      snippet: typeof code === 'string' && code.trim() !== '' ? clean(code, LIMITS.snippetChars) : undefined,
    }),
  ];
}

import type { Location } from '@breakwater/sdk';
import { LIMITS } from '../../lib/limits.ts';
import { normalisePath } from '../../lib/paths.ts';
import { clean, defined, fields, list, position } from '../../lib/read.ts';

/**
 * Steps of a taint trace, source to sink. A step is `["CliLoc", [location, code]]` or, through calls,
 * `["CliCall", [[location, code], [variables], trace]]`. Source: semgrep_output_v1.atd `match_call_trace`.
 */
export function dataflow(trace: unknown): Location[][] | undefined {
  const { taint_source: source, intermediate_vars: variables, taint_sink: sink } = fields(trace);
  if (source === undefined && sink === undefined) return undefined;
  const steps = [
    ...callTrace(source, 'Source', 0),
    ...list(variables).flatMap((variable) => variableStep(variable)),
    ...callTrace(sink, 'Sink', 0).reverse(),
  ];
  return steps.length === 0 ? undefined : [steps.slice(0, LIMITS.flowSteps)];
}

function callTrace(value: unknown, message: string, depth: number): Location[] {
  const [kind, content] = list(value);
  const parts = list(content);
  if (kind === 'CliLoc') return step(parts[0], parts[1], message);
  if (kind !== 'CliCall' || depth > 20) return [];
  const [place, code] = list(parts[0]);
  return [
    ...callTrace(parts[2], message, depth + 1),
    ...list(parts[1]).flatMap((variable) => variableStep(variable)),
    ...step(place, code, 'Call'),
  ];
}

function variableStep(value: unknown): Location[] {
  const variable = fields(value);
  return step(variable.location, variable.content, 'Passes through');
}

function step(place: unknown, code: unknown, message: string): Location[] {
  const { path: file, start, end } = fields(place);
  const path = normalisePath(file);
  if (path === undefined) return [];
  return [
    defined({
      path,
      startLine: position(fields(start).line),
      endLine: position(fields(end).line),
      startColumn: position(fields(start).col),
      endColumn: position(fields(end).col),
      snippet: typeof code === 'string' && code.trim() !== '' ? clean(code, LIMITS.snippetChars) : undefined,
      message,
    }),
  ];
}

// no text in this file: what findings say is stored in English
import type { FindingType, Location, NormalizedFinding } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { cweNumbers, webAddresses } from '../../lib/findings/identifiers.ts';
import { familyOf, normalisePath } from '../../lib/findings/packages.ts';
import { maskTokens } from '../../lib/findings/secrets.ts';
import { severityFromWord } from '../../lib/findings/severity.ts';
import { oneLine, paragraphs } from '../../lib/findings/text.ts';
import { LIMITS } from '../../lib/limits.ts';
import { clean, defined, fields, label, labels, list, position, text } from '../../lib/values/read.ts';
import { recordCheck } from '../../lib/values/schema.ts';
import { SARIF_WRITERS } from '../sarif/writers.ts';
import { packageFinding } from './package.ts';

/**
 * One element of `results.failed_checks`. Source: checkov/common/output/record.py, versions 1.0 to 3.2; what is beside the id has
 * grown with every version.
 */
export const FailedCheck = Type.Object({
  check_id: Type.String({ minLength: 1 }),
  check_name: Type.Optional(Type.Unknown()),
  file_path: Type.Optional(Type.Unknown()),
  resource: Type.Optional(Type.Unknown()),
});
export type FailedCheck = Static<typeof FailedCheck>;
export const failedCheck = recordCheck(FailedCheck);

interface CheckContext {
  /** Framework that was checked: `terraform`, `sca_package` … */
  checkType?: string | undefined;
  /** Family of the chosen catalogue entry. */
  family: string | undefined;
}

export function checkFinding(check: FailedCheck, context: CheckContext): NormalizedFinding {
  const record = fields(check);
  const details = fields(record.vulnerability_details);
  const common = commonFields(check, record, context);
  if (details.package_name !== undefined) return { ...common, ...packageFinding(details, record, context.checkType) };
  return common;
}

function commonFields(
  check: FailedCheck,
  record: Record<string, unknown>,
  { checkType, family }: CheckContext,
): NormalizedFinding {
  const ruleId = label(check.check_id) ?? 'unnamed check';
  const name = text(record.check_name) ?? text(record.short_description);
  const type = typeOf(checkType, ruleId, family);
  const isSecret = type === 'Secrets';
  const nativeSeverity = severityWord(record.severity);
  const resource = label(record.resource_address) ?? label(record.resource);
  return defined({
    kind: 'finding' as const,
    ruleId,
    title: oneLine(name ?? ruleId),
    type,
    // Ratings come from the vendor's platform; without a key for it none is written.
    severity: severityFromWord(nativeSeverity) ?? (isSecret ? 'high' : 'medium'),
    nativeSeverity,
    description: descriptionOf(record, name),
    mitigation: isSecret
      ? 'Revoke the secret, then remove it from the code and its history.'
      : fixText(record.fixed_definition),
    cwe: isSecret ? [798] : cweNumbers(record.cwe),
    references: webAddresses(record.guideline),
    locations: locationsOf(record, isSecret),
    codeFlows: codeFlowsOf(record.metadata),
    // For secrets the tool puts a digest of the secret here, for Dockerfiles the file.
    resource: isSecret ? undefined : resource,
    fingerprint: isSecret ? resource : undefined,
    policy: defined({
      name: checkType,
      category: label(record.bc_category),
      control: label(record.bc_check_id) ?? ruleId,
    }),
    tags: benchmarksOf(record.benchmarks),
  });
}

/** A name since 2.1, an object with a name before. */
function severityWord(value: unknown): string | undefined {
  return label(value) ?? label(fields(value).name);
}

const PIPELINES =
  /^(?:github_actions|gitlab_ci|bitbucket_pipelines|circleci_pipelines|azure_pipelines|argo_workflows)$/;

/** What the check is about; where that is a configuration, the chosen catalogue entry decides. */
function typeOf(checkType: string | undefined, ruleId: string, family: string | undefined): FindingType {
  if (checkType === 'secrets' || ruleId.startsWith('CKV_SECRET_')) return 'Secrets';
  if (checkType?.startsWith('sast') || checkType === 'cdk' || ruleId.startsWith('CKV3_')) return 'SAST';
  if (checkType === 'sca_image') return 'Container';
  if (checkType === 'sca_package') return 'SCA';
  const chosen = familyOf(family, SARIF_WRITERS.checkov.families);
  if (chosen !== undefined) return chosen;
  if (PIPELINES.test(checkType ?? '')) return 'CI/CD';
  return checkType?.endsWith('_configuration') ? 'Configuration' : 'IaC';
}

function descriptionOf(record: Record<string, unknown>, name: string | undefined): string | undefined {
  const said = [text(record.description), text(record.short_description), ...labels(record.details, 20)];
  return paragraphs(...said.filter((part) => part !== name));
}

function fixText(fixed: unknown): string | undefined {
  const code = typeof fixed === 'string' ? text(fixed) : undefined;
  return code === undefined ? undefined : `Suggested fix:\n\n\`\`\`\n${code}\n\`\`\``;
}

/** The place of the resource first, then the call of the module that it stands in. */
function locationsOf(record: Record<string, unknown>, isSecret: boolean): Location[] | undefined {
  const path = normalisePath(record.file_path);
  if (path === undefined) return undefined;
  const code = codeOf(record.code_block);
  const [start, end] = list(record.file_line_range);
  const place = defined({
    path,
    startLine: position(start),
    endLine: position(end),
    snippet: isSecret && code !== undefined ? maskTokens(code) : code,
  });
  const caller = normalisePath(record.caller_file_path);
  if (caller === undefined) return [place];
  const [callStart, callEnd] = list(record.caller_file_line_range);
  return [
    place,
    defined({
      path: caller,
      startLine: position(callStart),
      endLine: position(callEnd),
      message: 'Call of the module',
    }),
  ];
}

/** `[[1, "first line\n"], [2, "second\n"]]` */
function codeOf(block: unknown): string | undefined {
  const lines = list(block).map((line) => {
    const [, code] = list(line);
    return typeof code === 'string' ? code.replace(/\r?\n$/, '') : '';
  });
  const code = clean(lines.join('\n'), LIMITS.snippetChars);
  return code.trim() === '' ? undefined : code;
}

/** `{"CIS AWS": ["2.1.1"]}` */
function benchmarksOf(benchmarks: unknown): string[] | undefined {
  const tags = Object.entries(fields(benchmarks))
    .slice(0, 20)
    .map(([name, controls]) => label([name, ...labels(controls, 20)].join(' ')))
    .filter((tag) => tag !== undefined);
  return tags.length === 0 ? undefined : tags;
}

/** Steps of a taint trace. Source: checkov/common/sast/report_types.py, `metadata.taint_mode.data_flow`. */
function codeFlowsOf(metadata: unknown): Location[][] | undefined {
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

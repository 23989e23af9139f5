import { say } from '../../../platform/model/sentence.ts';
import type { ChangeFix, FixRequest, FixTemplate } from '../../model/fix.ts';
import { CODE_TEMPLATES } from './templates/code.ts';
import { DOCKERFILE_TEMPLATES } from './templates/dockerfile.ts';
import { KUBERNETES_TEMPLATES } from './templates/kubernetes.ts';
import { ruleKey, type Template } from './templates/template.ts';
import { TERRAFORM_TEMPLATES } from './templates/terraform.ts';
import { CannotFix } from './text/cannot-fix.ts';

const TEMPLATES = [...CODE_TEMPLATES, ...DOCKERFILE_TEMPLATES, ...KUBERNETES_TEMPLATES, ...TERRAFORM_TEMPLATES];
const BY_RULE: ReadonlyMap<string, Template> = new Map(
  TEMPLATES.flatMap((template) => template.rules.map((rule) => [ruleKey(rule), template] as const)),
);

const MAX_VALUE_LENGTH = 1000;

/** The template that answers a rule; undefined where there is none. */
export const templateOf = (ruleId: string): Template | undefined => BY_RULE.get(ruleKey(ruleId));

const filled = ({ name, fields }: Template, given: Readonly<Record<string, string>>): FixTemplate => {
  const values: Record<string, string> = {};
  const problems: Record<string, string> = {};
  for (const field of fields) {
    const value = Object.hasOwn(given, field.key) ? given[field.key] : field.default;
    if (value === undefined || value.length > MAX_VALUE_LENGTH || !new RegExp(field.pattern, 'u').test(value))
      problems[field.key] = field.message;
    if (value !== undefined) values[field.key] = value;
  }
  return { name, fields, values, problems };
};

/** Plans what a template changes in the file of the finding. @throws CannotFix */
export const planTemplate = (
  { finding, related, files, templateValues = {} }: FixRequest,
  template: Template,
): ChangeFix => {
  const file = files.find(({ path }) => path === finding.file);
  if (file === undefined)
    throw new CannotFix(
      'file_not_found',
      finding.file === null
        ? say('The file of the finding is not in the repository.')
        : say('{path} is not in the repository.', { path: finding.file }),
    );
  const form = filled(template, templateValues);
  const isPending = Object.keys(form.problems).length > 0;
  const after = isPending
    ? file.content
    : template.edit({ path: file.path, text: file.content, finding, values: form.values });
  if (!isPending && after === file.content) {
    throw new CannotFix('already_fixed', say('{path} has it already: scan again.', { path: file.path }));
  }
  // another tool may report the same of the same place
  const same = related.filter(
    (other) =>
      other.file === finding.file &&
      templateOf(other.ruleId) === template &&
      (other.startLine === finding.startLine || template.isWholeFile),
  );
  return {
    kind: 'change',
    title: `${template.title} (${file.path})`,
    description: [template.why, ...template.remaining.map((line) => `- ${line}`)].join('\n\n'),
    group: { key: template.name, label: template.title },
    closes: [...new Set([finding.id, ...same.map(({ id }) => id)])],
    changes: isPending ? [] : [{ path: file.path, before: file.content, after }],
    isBreaking: template.isBreaking,
    staleLocks: [],
    remaining: template.remaining,
    ...(template.fields.length > 0 ? { template: form } : {}),
  };
};

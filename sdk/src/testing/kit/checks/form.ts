import { type AnyConnector, isConfigured } from '../../../connector.ts';
import { type CredentialField, secretKeys } from '../../../credentials.ts';
import { shapeIssues } from '../../../read-answer.ts';
import type { KitCheck, KitIssue } from '../check.ts';
import type { FilledForm } from '../service/canary.ts';

const LONGEST_LABEL = 60;

/** How a field is drawn. Source: specification §3, the form is rendered from the schema. */
type Control = 'text' | 'password' | 'long text' | 'choice' | 'number' | 'switch' | 'list' | 'pairs';

function controlOf(field: CredentialField): Control {
  if (field.type === 'string') {
    if (field.writeOnly === true) return 'password';
    if (field.enum !== undefined) return 'choice';
    return field.format === 'multiline' ? 'long text' : 'text';
  }
  if (field.type === 'number' || field.type === 'integer') return 'number';
  if (field.type === 'boolean') return 'switch';
  return field.type === 'array' ? 'list' : 'pairs';
}

/**
 * Whether a person can fill in the form: every field can be drawn, told apart and answered, and the test values, where there are
 * any, go through it.
 */
export function checkForm(connector: AnyConnector, form: FilledForm | null): KitCheck {
  const fields = Object.entries(connector.credentials.properties);
  const issues = [
    ...fields.flatMap(([name, field]) => fieldIssues(name, field)),
    ...doubleLabels(fields),
    ...(fields.length > 0 && form !== null ? valueIssues(connector, form) : []),
  ];
  return { tier: 'bronze', name: 'form', tried: fields.length, issues };
}

function fieldIssues(name: string, field: CredentialField): KitIssue[] {
  const where = `credentials.properties.${name}`;
  const control = controlOf(field);
  const issues: KitIssue[] = [];
  if ((field.title ?? '').length > LONGEST_LABEL) {
    issues.push({
      what: `the label has more than ${LONGEST_LABEL} characters`,
      where,
      fix: 'Put the explanation into description.',
    });
  }
  if (
    control === 'choice' &&
    'default' in field &&
    field.default !== undefined &&
    !choices(field).includes(field.default)
  ) {
    issues.push({ what: 'the default is none of the choices', where, fix: 'Name one of enum.' });
  }
  if ('pattern' in field && field.pattern !== undefined && !isPattern(field.pattern)) {
    issues.push({ what: 'the pattern is no regular expression', where, fix: 'Correct pattern, or leave it out.' });
  }
  return issues;
}

function choices(field: CredentialField): readonly unknown[] {
  return 'enum' in field ? (field.enum ?? []) : [];
}

function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function doubleLabels(fields: readonly [string, CredentialField][]): KitIssue[] {
  const byLabel = Map.groupBy(fields, ([name, field]) => (field.title ?? name).toLowerCase());
  return [...byLabel.values()]
    .filter((same) => same.length > 1)
    .map((same) => ({
      what: `${same.length} fields have the label "${same[0]?.[1].title ?? ''}"`,
      where: same.map(([name]) => `credentials.properties.${name}`).join(', '),
      fix: 'Give each its own title.',
    }));
}

function valueIssues(connector: AnyConnector, { config, secrets }: FilledForm): KitIssue[] {
  const values = { ...config, ...secrets };
  const place = `connectors.${connector.id}.credentials of conformance.json`;
  const refused = shapeIssues(connector.credentials, values, []).map(({ path, message }) => ({
    what: `the form refuses the test value of "${path.join('.')}": ${message}`,
    where: place,
    fix: 'Write a value that the schema accepts, or correct the schema.',
  }));
  if (refused.length > 0) return refused;
  const stored = { ...config, ...Object.fromEntries(secretKeys(connector.credentials).map((key) => [key, true])) };
  if (isConfigured(connector, stored)) return [];
  return [
    {
      what: 'the connector does not count as configured with the test values',
      where: place,
      fix: 'Fill in what is required, or correct isConfigured.',
    },
  ];
}

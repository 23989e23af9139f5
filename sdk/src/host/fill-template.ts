import type { CredentialSchema } from '../credentials.ts';
import { ConnectorError } from '../errors.ts';

/** What stands in the templates of a connector. */
export interface TemplateValues {
  /** Names the fields in messages. */
  readonly schema: CredentialSchema;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Label of a field, for people. */
export function fieldTitle(schema: CredentialSchema, field: string): string {
  return schema.properties[field]?.title ?? field;
}

/**
 * Puts values into `{{field}}`, each through `encode`. Spaces around a value are none of it.
 * @throws ConnectorError `config`, naming the field that is empty
 */
export function fillTemplate(
  template: string,
  { schema, values }: TemplateValues,
  encode: (value: string) => string = (value) => value,
): string {
  return template.replace(/\{\{(\w+)\}\}/g, (_, field: string) => {
    const value = textOf(Object.hasOwn(values, field) ? values[field] : undefined);
    if (value === '') {
      throw new ConnectorError('config', `"${fieldTitle(schema, field)}" is empty.`, { help: 'Fill in the field.' });
    }
    return encode(value);
  });
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value).trim()
    : '';
}

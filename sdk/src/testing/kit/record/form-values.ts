import { type AnyConnector, isConfigured } from '../../../connector.ts';
import type { Json } from '../../../context.ts';
import { type CredentialField, secretKeys } from '../../../credentials.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import { CommandError } from '../commands/command-error.ts';
import type { FilledForm } from '../service/canary.ts';

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** One field that a person is asked for. */
export interface AskedField {
  readonly title: string;
  /** What is typed must not be shown. */
  readonly isSecret: boolean;
}
/** Asks a person for the value of a field; empty where there is none. */
export type Ask = (field: AskedField) => Promise<string>;

interface FormSources {
  readonly environment: Environment;
  /** Left out: nobody can be asked. */
  readonly ask?: Ask | undefined;
  /** Public values of the fixture, for what the environment does not say. */
  readonly known?: Readonly<Record<string, Json>> | undefined;
}

/** Of a shorter secret nothing could be told from ordinary words, so it could not be scrubbed. */
const SHORTEST_SECRET = 6;

/**
 * The form of a connector with its real values: from the environment (`HARBOUR_SCAN_API_KEY`), for public fields else from the fixture,
 * for required fields else from a person.
 * @throws CommandError naming every variable that is missing or does not fit
 */
export async function realForm(connector: AnyConnector, { environment, ask, known }: FormSources): Promise<FilledForm> {
  const secretNames = new Set<string>(secretKeys(connector.credentials));
  const config: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  const issues: string[] = [];
  for (const [name, field] of Object.entries(connector.credentials.properties)) {
    const variable = environmentName(connector.id, name);
    const isSecret = secretNames.has(name);
    const isRequired = connector.credentials.required?.includes(name) ?? false;
    const isKnown = !isSecret && (known?.[name] !== undefined || ('default' in field && field.default !== undefined));
    let text = environment[variable] ?? '';
    if (text === '' && isRequired && !isKnown && ask) text = await ask({ title: field.title ?? name, isSecret });
    if (text === '') {
      if (isRequired && !isKnown) issues.push(`${variable} is not set ("${field.title ?? name}")`);
      else if (isKnown) config[name] = known?.[name] ?? ('default' in field ? field.default : undefined);
    } else if (isSecret) {
      if (text.trim().length < SHORTEST_SECRET)
        issues.push(`${variable} has fewer than ${SHORTEST_SECRET} characters: it could not be scrubbed reliably`);
      secrets[name] = text;
    } else {
      const value = fieldValue(field, text);
      if (value === undefined) issues.push(`${variable} is no ${field.type}`);
      else config[name] = value;
    }
  }
  const stored = { ...config, ...Object.fromEntries(Object.keys(secrets).map((name) => [name, true])) };
  if (issues.length === 0 && !isConfigured(connector, stored)) {
    const names = Object.keys(connector.credentials.properties).map((name) => environmentName(connector.id, name));
    issues.push(`the form is not complete; its fields are ${names.join(', ')}`);
  }
  if (issues.length > 0) throw new CommandError(`The credentials are incomplete:\n${issues.map(line).join('')}`);
  return { config, secrets };
}

const line = (issue: string): string => `  ${issue}\n`;

/** A field's value from text: lists and pairs as JSON, lists also separated by commas. Undefined where it is none. */
function fieldValue(field: CredentialField, text: string): Json | undefined {
  switch (field.type) {
    case 'string':
      return text;
    case 'boolean':
      return { true: true, false: false }[text];
    case 'number':
    case 'integer':
      return Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'array':
      return text.startsWith('[') ? jsonOf(text) : text.split(',').map((item) => item.trim());
    default:
      return jsonOf(text);
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

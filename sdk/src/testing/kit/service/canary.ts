import type { AnyConnector } from '../../../connector.ts';
import type { Json } from '../../../context.ts';
import { type CredentialField, secretKeys } from '../../../credentials.ts';
import type { ConnectorFixture } from '../../fixtures.ts';

const PLACEHOLDER = '{{canary}}';
/** Shorter pieces of a key file are words that mean something elsewhere. */
const SHORTEST_PIECE = 20;

/** Values of one connector's form for the kit. */
export interface FilledForm {
  readonly config: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** The form as the fixture fills it; a secret without a value of its own gets a random canary, another one each time. */
export function fillForm(connector: AnyConnector, fixture: ConnectorFixture): FilledForm {
  const secretNames = new Set<string>(secretKeys(connector.credentials));
  const config: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  for (const [name, field] of Object.entries(connector.credentials.properties)) {
    const given = fixture.credentials?.[name];
    if (secretNames.has(name)) secrets[name] = secretValue(name, field, given);
    else if (given !== undefined) config[name] = given;
    else if ('default' in field && field.default !== undefined) config[name] = field.default;
  }
  return { config, secrets };
}

function secretValue(name: string, field: CredentialField, given: Json | undefined): string {
  if (typeof given === 'string' && given !== PLACEHOLDER) return given;
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  const canary = `canary-${name.replaceAll('_', '-')}-${Buffer.from(bytes).toString('hex')}`;
  const longest = 'maxLength' in field ? (field.maxLength ?? canary.length) : canary.length;
  return canary.slice(-longest);
}

/** Where a secret stands in a text: `api_key`, `api_key in base64`. */
interface Leak {
  readonly field: string;
  readonly form: string;
}

/** Looks for secrets in everything that comes out of a connector, also encoded. */
export function findLeaks(secrets: Readonly<Record<string, string>>, text: string): Leak[] {
  return Object.entries(secrets).flatMap(([field, value]) =>
    needles(value)
      .filter(({ needle }) => needle !== '' && text.includes(needle))
      .slice(0, 1)
      .map(({ form }) => ({ field, form })),
  );
}

function needles(value: string): { needle: string; form: string }[] {
  const encoded = Buffer.from(value);
  return [
    ...pieces(value).map((needle) => ({ needle, form: 'as it is' })),
    { needle: JSON.stringify(value).slice(1, -1), form: 'as JSON' },
    { needle: encodeURIComponent(value), form: 'URL-encoded' },
    { needle: encoded.toString('base64').replace(/=+$/, ''), form: 'in base64' },
    { needle: encoded.toString('base64url'), form: 'in base64url' },
    { needle: encoded.toString('hex'), form: 'in hex' },
  ];
}

/** A key file gives itself away line by line; its public parts, such as an address for mail, do not. */
function pieces(value: string): string[] {
  const isKeyFile = value.includes('-----BEGIN');
  if (!isKeyFile) return [value];
  const body = /-----BEGIN[^-]*-----(.*?)-----END/s.exec(value)?.[1] ?? '';
  return [value, ...body.split(/\\n|\s+/).filter((piece) => piece.length >= SHORTEST_PIECE)];
}

/** Everything that a value says, for `findLeaks`: also what JSON leaves out, such as the causes of an error. */
export function textOf(value: unknown, seen = new Set<unknown>()): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (seen.has(value)) return '';
  seen.add(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('latin1');
  const names = Object.getOwnPropertyNames(value);
  const parts = names.map((name) => `${name}: ${textOf(Reflect.get(value, name), seen)}`);
  return parts.join('\n');
}

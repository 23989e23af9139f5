import {
  type CredentialField,
  type CredentialSchema,
  type HostMigration,
  type Json,
  runMigrationStep,
  type StoredNames,
  secretKeys,
} from '@breakwater/sdk';
import semver from 'semver';
import type { FieldIssue } from '../../platform/model/app-error.ts';
import { isStorableText } from '../../platform/model/storable-text.ts';

/** Longest value of one field, in bytes of UTF-8; of a list or map, of all its texts together. */
export const MAX_VALUE_BYTES = 65_536;

/** Says what is wrong with a value by JSON Schema; places begin at the value itself. */
export type SchemaCheck = (schema: object, value: unknown) => FieldIssue[];

/** What a save means, once it is sound. */
export interface CredentialChange {
  /** Public fields that get a value. */
  readonly set: Readonly<Record<string, Json>>;
  /** Public fields that are cleared. */
  readonly cleared: readonly string[];
  readonly secrets: ReadonlyMap<string, string>;
  readonly clearedSecrets: readonly string[];
}

const schemas = new WeakMap<CredentialSchema, object>();

const sound = (schema: CredentialSchema): object => {
  const properties = Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, valueSchema(field)]),
  );
  return { type: 'object', properties, additionalProperties: false };
};

/** A field's schema without what only concerns the form. */
function valueSchema(field: CredentialField): object {
  const { title: _title, description: _description, default: _default, ...rest } = { default: undefined, ...field };
  if (rest.type !== 'string') return rest;
  const { writeOnly: _writeOnly, format, ...text } = rest;
  return { ...text, ...(format === undefined || format === 'multiline' ? {} : { format }) };
}

/** The schema by which the values of one form are judged, whatever else it requires: a form may be saved half filled. */
const schemaOf = (schema: CredentialSchema): object => {
  const known = schemas.get(schema) ?? sound(schema);
  schemas.set(schema, known);
  return known;
};

/** Texts lose the spaces around them, lists their empty entries. */
function trimmed(value: Json): Json {
  if (typeof value === 'string') return value.trim();
  if (Array.isArray(value)) return value.map(trimmed).filter((item) => item !== '');
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.trim(), trimmed(item)]));
  }
  return value;
}

const isTooLong = (value: Json): boolean =>
  new TextEncoder().encode(JSON.stringify(value)).length > MAX_VALUE_BYTES + 2;

const issueAt = (name: string, msg: string, type: string): FieldIssue => ({ loc: ['body', 'values', name], msg, type });

function formIssue(name: string, value: unknown): FieldIssue | undefined {
  if (!isJson(value)) return issueAt(name, 'Is nested too deeply.', 'type');
  if (isTooLong(value)) return issueAt(name, `Must have at most ${MAX_VALUE_BYTES} bytes.`, 'maxLength');
  return isStorable(value) ? undefined : issueAt(name, 'Must not hold control characters.', 'format');
}

/**
 * Reads the values of a save. A field left out stays; null clears; an empty text clears a public field and keeps a secret.
 * Errors name the field: `["body", "values", "base_url"]`.
 */
export function readValues(
  schema: CredentialSchema,
  values: Readonly<Record<string, unknown>>,
  check: SchemaCheck,
): { change: CredentialChange; issues: FieldIssue[] } {
  const secretNames = new Set<string>(secretKeys(schema));
  const issues: FieldIssue[] = [];
  const given: [string, Json][] = [];
  const emptied: string[] = [];
  for (const [name, raw] of Object.entries(values)) {
    const issue = formIssue(name, raw);
    if (issue !== undefined) issues.push(issue);
    const value = issue === undefined && isJson(raw) ? trimmed(raw) : undefined;
    const isKnown = Object.hasOwn(schema.properties, name);
    if (isKnown && (value === null || value === '')) {
      if (value === null || !secretNames.has(name)) emptied.push(name);
    } else if (value !== undefined) given.push([name, value]);
  }
  const wrong = check(schemaOf(schema), Object.fromEntries(given));
  issues.push(...wrong.map((issue) => ({ ...issue, loc: ['body', 'values', ...issue.loc] })));
  const secrets = given.flatMap(([name, value]) =>
    secretNames.has(name) && typeof value === 'string' ? [[name, value] as const] : [],
  );
  return {
    issues,
    change: {
      set: Object.fromEntries(given.filter(([name]) => !secretNames.has(name))),
      cleared: emptied.filter((name) => !secretNames.has(name)),
      secrets: new Map(secrets),
      clearedSecrets: emptied.filter((name) => secretNames.has(name)),
    },
  };
}

/** What a connector's code sees as `ctx.config`: the public fields of the form, stored or by default. */
export function effectiveConfig(
  schema: CredentialSchema,
  stored: Readonly<Record<string, Json>>,
): Readonly<Record<string, Json>> {
  const secretNames = new Set<string>(secretKeys(schema));
  const entries: [string, Json][] = [];
  for (const [name, field] of Object.entries(schema.properties)) {
    if (secretNames.has(name)) continue;
    const value = Object.hasOwn(stored, name) ? stored[name] : 'default' in field ? field.default : undefined;
    if (value !== undefined) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

/** What a person sees of one field. */
export interface FieldView {
  readonly set: boolean;
  readonly hint: string | null;
  readonly value: Json;
}

/** What is stored of each field: of a secret only whether it is set, and its hint. */
export function fieldViews(
  schema: CredentialSchema,
  stored: Readonly<Record<string, Json>>,
  hints: Readonly<Record<string, string>>,
): Record<string, FieldView> {
  const secretNames = new Set<string>(secretKeys(schema));
  const config = effectiveConfig(schema, stored);
  return Object.fromEntries(
    Object.keys(schema.properties).map((name) => {
      if (!secretNames.has(name)) {
        return [name, { set: Object.hasOwn(stored, name), hint: null, value: config[name] ?? null }];
      }
      const hint = Object.hasOwn(hints, name) ? hints[name] : undefined;
      return [name, { set: hint !== undefined, hint: hint === undefined || hint === '' ? null : hint, value: null }];
    }),
  );
}

/** Deeper values are refused before anything recurses into them. */
const MAX_DEPTH = 64;

/** True for what JSON can say, at most 64 levels deep. */
export function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return Object.values(value).every((item) => isJson(item, depth + 1));
}

/** True where PostgreSQL can keep every text. Looks into lists and maps. */
export function isStorable(value: Json): boolean {
  if (typeof value === 'string') return isStorableText(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}

/** Fields as an older plugin version stored them; of the secrets only the names. */
export interface OldCredentials {
  readonly version: string;
  readonly config: Readonly<Record<string, Json>>;
  readonly secrets: readonly string[];
}

/** The same fields for the present version. */
export interface MigratedCredentials {
  readonly config: Readonly<Record<string, Json>>;
  /** New name of each secret by its old name, also of those that keep theirs. */
  readonly secrets: ReadonlyMap<string, string>;
}

/** True where what `stored` wrote is older than what `loaded` expects. */
export function isOlder(stored: string | null, loaded: string): boolean {
  return stored !== null && semver.valid(stored) !== null && semver.valid(loaded) !== null && semver.lt(stored, loaded);
}

/** Runs the steps from the version that stored the fields. A step that renames what is not stored changes nothing. */
export async function migrateCredentials(
  old: OldCredentials,
  steps: readonly HostMigration[],
): Promise<MigratedCredentials> {
  const due = steps
    .filter((step) => semver.gte(step.from, old.version))
    .toSorted((left, right) => semver.compare(left.from, right.from));
  let now: StoredNames = old;
  for (const step of due) now = await runMigrationStep(step, now);
  return { config: now.config, secrets: new Map(old.secrets.map((name, index) => [name, now.secrets[index] ?? name])) };
}

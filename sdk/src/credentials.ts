/** What every field of a credential form may say about itself. */
interface FieldText {
  /** Label of the field, `Access key ID`. */
  readonly title?: string;
  /** One sentence under the field: where to find the value, what it must be allowed to do. */
  readonly description?: string;
}

/** A line of text, a choice (`enum`) or a secret (`writeOnly: true`). */
export interface TextField extends FieldText {
  readonly type: 'string';
  /** True for a secret: stored encrypted, never read back, absent from `ctx.config` by type. */
  readonly writeOnly?: boolean;
  readonly enum?: readonly string[];
  readonly default?: string;
  readonly format?: 'uri' | 'hostname' | 'email' | 'date' | 'multiline';
  /** Regular expression as JSON Schema has it (not anchored unless it says so). */
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  /**
   * Values that the service itself knows: the form offers them, and typing stays possible. They are asked for with the fields as they are
   * typed, before anything is stored.
   */
  readonly offers?: FieldOffer;
}

/**
 * What of a connector's code names the values of a field: `ticket-projects` is `tickets.tracking.projects`; `ticket-types` is
 * `tickets.tracking.types` of the project in the field of the same form that offers `ticket-projects`.
 */
export const FIELD_OFFERS = ['ticket-projects', 'ticket-types'] as const;
export type FieldOffer = (typeof FIELD_OFFERS)[number];

/** A number. */
export interface NumberField extends FieldText {
  readonly type: 'number' | 'integer';
  readonly default?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** A switch. */
export interface SwitchField extends FieldText {
  readonly type: 'boolean';
  readonly default?: boolean;
}

/** Several texts or choices. */
export interface ListField extends FieldText {
  readonly type: 'array';
  readonly items: { readonly type: 'string'; readonly enum?: readonly string[] };
  readonly maxItems?: number;
}

/** Pairs of texts, such as the field mapping of a ticket system. */
export interface MapField extends FieldText {
  readonly type: 'object';
  readonly additionalProperties: { readonly type: 'string'; readonly pattern?: string; readonly maxLength?: number };
}

export type CredentialField = TextField | NumberField | SwitchField | ListField | MapField;

/**
 * Form and stored shape of a connector's credentials: a flat JSON Schema object, written as a plain literal.
 *
 * TypeBox schemas are refused by type: `Type.String({ writeOnly: true })` loses `writeOnly` in its type, and a secret
 * would become readable in `ctx.config` without a compile error.
 */
export interface CredentialSchema {
  readonly '~kind'?: never;
  readonly type: 'object';
  readonly properties: { readonly [field: string]: CredentialField };
  readonly required?: readonly string[];
}

/** Schema of a connector without a form, such as a scanner whose reports are uploaded. */
export const NO_CREDENTIALS = { type: 'object', properties: {} } as const satisfies CredentialSchema;
export type NoCredentials = typeof NO_CREDENTIALS;

type Properties<S extends CredentialSchema> = S['properties'];

type FieldValue<F extends CredentialField> = F extends { readonly enum: readonly (infer Choice)[] }
  ? Choice
  : F extends { readonly type: 'string' }
    ? string
    : F extends { readonly type: 'number' | 'integer' }
      ? number
      : F extends { readonly type: 'boolean' }
        ? boolean
        : F extends { readonly items: { readonly enum: readonly (infer Choice)[] } }
          ? readonly Choice[]
          : F extends { readonly type: 'array' }
            ? readonly string[]
            : Readonly<Record<string, string>>;

type RequiredKey<S extends CredentialSchema> = S extends { readonly required: readonly (infer Key)[] } ? Key : never;

/** A default makes a field always present; `required` does too, because nothing runs before the connector is configured. */
type AlwaysPresent<S extends CredentialSchema, K extends keyof Properties<S>> =
  K extends RequiredKey<S>
    ? true
    : Properties<S>[K] extends { readonly default: string | number | boolean }
      ? true
      : false;

/** Names of the secrets: fields with `writeOnly: true`. A field whose type leaves it open (`boolean`) counts as one. */
export type SecretKey<S extends CredentialSchema> = {
  [K in keyof Properties<S> & string]: Properties<S>[K] extends { readonly type: string; readonly writeOnly?: false }
    ? never
    : K;
}[keyof Properties<S> & string];

/** Names of the fields that are no secrets. */
export type PublicKey<S extends CredentialSchema> = Exclude<keyof Properties<S> & string, SecretKey<S>>;

type Simplify<T> = { readonly [K in keyof T]: T[K] };

/** True for the schema of no connector in particular, as the host handles it. */
type IsAnySchema<S extends CredentialSchema> = string extends keyof Properties<S> ? true : false;

/** What `ctx.config` holds: the fields that are no secrets. Reading a secret here does not compile. */
export type PublicFields<S extends CredentialSchema> =
  IsAnySchema<S> extends true
    ? Readonly<Record<string, unknown>>
    : Simplify<
        { [K in PublicKey<S> as AlwaysPresent<S, K> extends true ? K : never]: FieldValue<Properties<S>[K]> } & {
          [K in PublicKey<S> as AlwaysPresent<S, K> extends true ? never : K]?: FieldValue<Properties<S>[K]>;
        }
      >;

/** What is stored of a connection, as `isConfigured` sees it: any field may be missing, a stored secret is only `true`. */
export type StoredFields<S extends CredentialSchema> =
  IsAnySchema<S> extends true
    ? Readonly<Record<string, unknown>>
    : Simplify<{ [K in PublicKey<S>]?: FieldValue<Properties<S>[K]> } & { [K in SecretKey<S>]?: true }>;

/** Names of the secret fields of a schema, at run time. */
export function secretKeys<S extends CredentialSchema>(schema: S): SecretKey<S>[];
export function secretKeys(schema: CredentialSchema): string[] {
  return Object.entries(schema.properties)
    .filter(([, field]) => field.type === 'string' && field.writeOnly === true)
    .map(([name]) => name);
}

/** True when every required field holds something. Spaces alone, empty lists and empty maps are nothing; 0 and false are something. */
export function requiredFieldsAreFilled(schema: CredentialSchema, stored: Readonly<Record<string, unknown>>): boolean {
  return (schema.required ?? []).every((name) => isFilled(stored[name]));
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false;
  if (typeof value === 'string') return value.trim() !== '';
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object') return Object.keys(value).length > 0;
  return true;
}

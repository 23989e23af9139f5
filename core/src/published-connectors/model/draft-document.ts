/** A document of a connector while it is written: any JSON object. */
export type DraftDocument = Readonly<Record<string, unknown>>;

/** Names of fields below the document. */
export type DraftPath = readonly string[];

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What stands at a place; undefined where there is nothing. */
export const valueAt = (document: unknown, path: DraftPath): unknown =>
  path.reduce<unknown>(
    (value, key) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    document,
  );

/** The text at a place; empty where there is none. */
export const textAt = (document: unknown, path: DraftPath): string => {
  const value = valueAt(document, path);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

/**
 * The document with another value at a place; undefined takes it out. Fields keep their order, and a new one comes last. What is no object on the
 * way is replaced by one.
 */
export const withValue = (document: unknown, path: DraftPath, value: unknown): DraftDocument => {
  const [key, ...rest] = path;
  const fields = isRecord(document) ? document : {};
  if (key === undefined) return isRecord(value) ? value : {};
  const next = rest.length === 0 ? value : withValue(fields[key], rest, value);
  const { [key]: _before, ...others } = fields;
  if (next === undefined) return others;
  return Object.hasOwn(fields, key)
    ? Object.fromEntries(Object.entries(fields).map(([name, part]) => [name, name === key ? next : part]))
    : { ...fields, [key]: next };
};

/** The object of a text, as `connector.json` holds it; undefined where the text is none. */
export const documentIn = (text: string): DraftDocument | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

export const documentText = (document: DraftDocument): string => JSON.stringify(document, null, 2);

const VERSION = /^(\d+\.\d+\.)(\d+)$/;

/** The document as the next version begins: a version is never changed. */
export const nextVersionOf = (document: DraftDocument): DraftDocument => {
  const [, minor, patch] = VERSION.exec(textAt(document, ['version'])) ?? [];
  return minor === undefined ? document : withValue(document, ['version'], `${minor}${Number(patch) + 1}`);
};

/** What an empty form holds: the parts that every connector has, to be filled in. */
export const NEW_DOCUMENT: DraftDocument = {
  id: '',
  version: '1.0.0',
  title: '',
  category: 'sast',
  description: '',
  documentation: '',
  credentials: {
    type: 'object',
    required: ['token'],
    // no text: becomes part of the document
    properties: { token: { type: 'string', title: 'API token', writeOnly: true } },
  },
  auth: { type: 'bearer', value: '{{token}}' },
  baseUrl: '',
  permissions: { egress: [] },
  check: { request: { path: '' }, identity: '' },
  findings: {
    request: { path: '' },
    type: 'SAST',
    severities: {},
    map: { ruleId: '', title: '', severity: '' },
  },
};

/** Fields of a finding that every mapping gives. */
export const REQUIRED_FIELDS = ['ruleId', 'title', 'severity'] as const;

/** Those that it may give besides, the usual ones first. */
export const OPTIONAL_FIELDS = [
  ...['description', 'locations', 'component', 'cwe', 'cve', 'mitigation', 'references', 'cvssScore', 'cvssVector'],
  ...['resource', 'language', 'tags', 'aliases', 'epss', 'date', 'published', 'type', 'tool', 'nativeSeverity'],
  ...['severityNumerical', 'fingerprint', 'secretHash', 'codeFlows', 'http', 'policy', 'suppressed'],
] as const;

/** Lines `name = value` of a map of texts, for people to edit. */
export const linesOf = (value: unknown): string =>
  isRecord(value)
    ? Object.entries(value)
        .map(([name, text]) => `${name} = ${typeof text === 'string' ? text : JSON.stringify(text)}`)
        .join('\n')
    : '';

/** The map of such lines; a line without `=` has an empty value. Undefined for none. */
export const mapOfLines = (text: string): Record<string, string> | undefined => {
  const pairs = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): [string, string] => {
      const at = line.indexOf('=');
      return at === -1 ? [line.trim(), ''] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
};

/** One field of the connector's own form. */
export interface DraftField {
  name: string;
  title: string;
  help: string;
  isSecret: boolean;
  isRequired: boolean;
  /** Of its value. */
  type: string;
  choices: readonly string[];
}

export const fieldsOf = (document: unknown): DraftField[] => {
  const properties = valueAt(document, ['credentials', 'properties']);
  const required = valueAt(document, ['credentials', 'required']);
  return Object.entries(isRecord(properties) ? properties : {}).map(([name, field]) => {
    const choices = valueAt(field, ['enum']);
    return {
      name,
      title: textAt(field, ['title']),
      help: textAt(field, ['description']),
      isSecret: valueAt(field, ['writeOnly']) === true,
      isRequired: Array.isArray(required) && required.includes(name),
      type: textAt(field, ['type']),
      choices: Array.isArray(choices) ? choices.map(String) : [],
    };
  });
};

/** The document with another list of fields in its form. What the text says of a field besides stays. */
export const withFields = (
  document: DraftDocument,
  fields: readonly DraftField[],
  before: readonly string[],
): DraftDocument => {
  const properties = fields.map(({ name, title, help, isSecret }, index) => {
    const known = valueAt(document, ['credentials', 'properties', before[index] ?? name]);
    const {
      title: _title,
      description: _help,
      writeOnly: _secret,
      ...rest
    } = isRecord(known) ? known : { type: 'string' };
    return [
      name,
      {
        ...rest,
        ...(title === '' ? {} : { title }),
        ...(help === '' ? {} : { description: help }),
        ...(isSecret ? { writeOnly: true } : {}),
      },
    ];
  });
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return withValue(document, ['credentials'], {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
  });
};

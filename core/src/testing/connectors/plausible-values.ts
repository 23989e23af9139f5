import { type CredentialField, type CredentialSchema, secretKeys, type TextField } from '@breakwater/sdk';

/** A service's address in the form that a field asks for. */
const addressFor = (name: string, url: URL): string | number => {
  if (/port/.test(name)) return url.port;
  if (/protocol|scheme/.test(name)) return url.protocol.replace(':', '');
  if (/domain|host(?!ed_url)|hostname/.test(name)) return url.hostname;
  return url.origin;
};

export const isAddress = (name: string, field: CredentialField): boolean =>
  field.type === 'string' &&
  (field.format === 'uri' ||
    field.format === 'hostname' ||
    /url|domain|host|address|endpoint|protocol|port$/.test(name));

/** Of these, one fits most patterns of forms. */
const CANDIDATES = [
  'abcdef12',
  '12345678',
  'v1',
  'eu-central-1',
  'eu-frankfurt-1',
  '11111111-2222-4333-8444-555555555555',
  'AKIAABCDEFGHIJKLMNOP',
  'ocid1.tenancy.oc1..aaaa',
  'ocid1.compartment.oc1..aaaa',
  'ocid1.user.oc1..aaaa',
  '12:34:56:78:9a:bc:de:f0:12:34:56:78:9a:bc:de:f0',
  'somebody@project-1.iam.gserviceaccount.com',
  'project-1',
];

const textFor = (name: string, field: TextField, url: URL): unknown => {
  if (field.enum !== undefined) return /protocol/.test(name) ? url.protocol.replace(':', '') : field.enum[0];
  if (isAddress(name, field)) return addressFor(name, url);
  if (field.format === 'email') return 'somebody@example.test';
  if (field.format === 'date') return '2026-12-31';
  const pattern = new RegExp(field.pattern ?? '', 'u');
  return CANDIDATES.find((candidate) => pattern.test(candidate)) ?? 'abcdef12';
};

const valueFor = (name: string, field: CredentialField, url: URL): unknown => {
  switch (field.type) {
    case 'string':
      return textFor(name, field, url);
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return {};
    default:
      return /port/.test(name) ? Number(url.port) : (field.minimum ?? 1);
  }
};

/** Values for the fields of a form that are no secrets, with addresses of a service where the form asks for one. */
export const plausibleValues = (schema: CredentialSchema, serviceUrl: string): Record<string, unknown> => {
  const secrets = new Set<string>(secretKeys(schema));
  const url = new URL(serviceUrl);
  return Object.fromEntries(
    Object.entries(schema.properties)
      .filter(([name]) => !secrets.has(name))
      .map(([name, field]) => [name, valueFor(name, field, url)]),
  );
};

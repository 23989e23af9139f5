import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Nullable, One, Timestamp } from '../../platform/api/envelope.ts';
import { MAX_EXCLUSIONS } from '../model/excluded-packages.ts';

const settingsFields = {
  /** Names and ecosystems of packages are sent to the service. */
  is_enabled: Type.Boolean(),
  /** Patterns of packages that are never sent: `@acme/*`, `com.acme:*`. `*` stands for any characters; case does not matter. */
  excluded: Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: MAX_EXCLUSIONS }),
};

export const VersionLookupAttributes = Type.Object({
  ...settingsFields,
  /** Host of the service that is asked. */
  service: Type.String(),
  /** Null while the default holds. */
  updated_at: Nullable(Timestamp),
});

export const readVersionLookup = route({
  method: 'GET',
  path: '/version_lookup',
  tag: 'sbom',
  summary: 'Whether newest versions are looked up at a public service, and of which packages not',
  access: { permission: 'settings.read', tenant: true },
  response: One(VersionLookupAttributes),
});

/** Applications with an inventory are looked up at once. What was looked up is kept, and not shown while it is off. */
export const changeVersionLookup = route({
  method: 'PUT',
  path: '/version_lookup',
  tag: 'sbom',
  summary: 'Turn the lookup of newest versions on or off, and replace the list of private packages',
  access: { permission: 'settings.write', tenant: true },
  audit: 'settings.changed',
  body: Type.Object(settingsFields, { additionalProperties: false }),
  response: One(VersionLookupAttributes),
  errors: ['validation_failed'],
});

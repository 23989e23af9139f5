import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Item, Nullable, Timestamp } from '../../platform/api/envelope.ts';

const strict = { additionalProperties: false } as const;
/** As plugins are named, `acme-scan`. */
const PluginId = Type.String({ pattern: '^[a-z0-9][a-z0-9-]{0,99}$' });
const Version = Type.String({ minLength: 1, maxLength: 100 });
const params = Type.Object({ id: PluginId });

const Permissions = {
  publisher: Type.String({ maxLength: 200 }),
  hosts: Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 200 }),
  /** Secrets of its forms that its code reads in the clear. */
  reveals: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
  /** Its connectors that show a page of their own, by the ids that their author gave them. */
  views: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 }),
};

const PluginVersion = Type.Object({
  version: Version,
  ...Permissions,
  /** As its build says: nobody here has tried it. */
  tier: Type.String(),
  kind: Type.Union([Type.Literal('code'), Type.Literal('document')]),
  installed_at: Timestamp,
  connectors: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      category: Type.String(),
      description: Type.String(),
      capabilities: Type.Array(Type.String()),
      /** JSON Schema of its form. */
      credentials: Type.Unknown(),
    }),
  ),
});

/** A plugin as an organisation sees it. None of its code runs for that. */
export const InstalledPlugin = Type.Object({
  is_offered: Type.Boolean(),
  reason: Type.String(),
  /** Newest first. */
  versions: Type.Array(PluginVersion),
  /** What the organisation enabled; null where it did not. */
  enabled: Nullable(
    Type.Object({
      /** Null where no version that is left asks for no more than was approved. */
      version: Nullable(Version),
      ...Permissions,
      /** An admin went back to this version, and newer ones do not follow by themselves. */
      is_held: Type.Boolean(),
      /** What the newest version asks for beyond what was approved; null where it asks for no more. */
      more: Nullable(
        Type.Object({
          hosts: Permissions.hosts,
          reveals: Permissions.reveals,
          views: Permissions.views,
          publisher: Nullable(Type.String()),
        }),
      ),
      /** Ids of its connectors in the catalogue, by the ids that its author gave them. */
      connectors: Type.Record(Type.String(), Type.String()),
    }),
  ),
});
export type InstalledPlugin = Static<typeof InstalledPlugin>;

/** The same for whoever runs the installation. */
export const PlatformPlugin = Type.Object({
  ...InstalledPlugin.properties,
  /** Where the newest version came from, `npm:@acme/scan@1.2.0`. */
  source: Type.String(),
  /** How many organisations enabled it. */
  organisations: Type.Integer({ minimum: 0 }),
});
export type PlatformPlugin = Static<typeof PlatformPlugin>;

const read = { tag: 'connectors', access: { permission: 'connectors.read', tenant: true } } as const;
const write = { tag: 'connectors', access: { permission: 'connectors.write', tenant: true } } as const;
const platform = { tag: 'connectors', access: { permission: 'platform.write', tenant: false } } as const;

export const listInstalledPlugins = route({
  ...read,
  method: 'GET',
  path: '/installed_plugins',
  summary:
    'Plugins that whoever runs the installation added, by id: their cards, forms and permissions, and what is enabled',
  response: Type.Object({ data: Type.Array(Item(InstalledPlugin)) }),
});

export const enablePlugin = route({
  ...write,
  method: 'PUT',
  path: '/installed_plugins/{id}',
  summary: 'Enable a plugin for the organisation, take a version that asks for more, or go back to an earlier one',
  audit: 'connector.added',
  params,
  /** What the admin has seen and allows: exactly the permissions of that version. */
  body: Type.Object({ version: Version, ...Permissions, views: Type.Optional(Permissions.views) }, strict),
  response: Action(Type.Object({ version: Version, connectors: Type.Record(Type.String(), Type.String()) })),
  errors: ['plugin_not_found', 'conflict'],
});

export const disablePlugin = route({
  ...write,
  method: 'DELETE',
  path: '/installed_plugins/{id}',
  summary: 'Take a plugin out of the catalogue of the organisation; its connections have to be removed first',
  audit: 'connector.dropped',
  params,
  response: Done,
  errors: ['plugin_not_found', 'conflict'],
});

export const listPlatformPlugins = route({
  ...platform,
  method: 'GET',
  path: '/platform/plugins',
  summary: 'Installed plugins with where they came from and how many organisations use them',
  response: Type.Object({ data: Type.Array(Item(PlatformPlugin)) }),
});

/** A name as npm has it, with or without scope. */
const PackageName = Type.String({
  maxLength: 214,
  pattern: '^(?:@[a-z0-9~-][a-z0-9._~-]*/)?[a-z0-9~-][a-z0-9._~-]*$',
});

const Installed = Action(Type.Object({ id: PluginId, version: Version, is_new: Type.Boolean() }));

export const installPackage = route({
  ...platform,
  method: 'POST',
  path: '/platform/plugins',
  summary: 'Install a plugin from the npm registry, or a new version of one',
  audit: 'superadmin.changed',
  /** Without a version, the one that is tagged `latest`. */
  body: Type.Object({ package: PackageName, version: Type.Optional(Version) }, strict),
  response: Installed,
  errors: ['validation_failed', 'conflict', 'upstream_failed', 'too_many_requests'],
});

/** The body is the file itself: `npm pack` of the folder that `breakwater-connector build` made. */
export const installPluginFile = route({
  ...platform,
  method: 'POST',
  path: '/platform/plugins/file',
  summary: 'Install a plugin from a file (.tgz), or a new version of one',
  audit: 'superadmin.changed',
  query: Type.Object(
    { name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'name of the file' })) },
    strict,
  ),
  bodyKind: 'stream',
  response: Installed,
  errors: ['validation_failed', 'conflict', 'payload_too_large', 'too_many_requests'],
});

export const offerPlugin = route({
  ...platform,
  method: 'PUT',
  path: '/platform/plugins/{id}',
  summary: 'Disable a plugin for every organisation, or offer it again',
  audit: 'superadmin.changed',
  params,
  body: Type.Object(
    {
      is_offered: Type.Boolean(),
      /** Shown on its cards. */
      reason: Type.Optional(Type.String({ maxLength: 300 })),
    },
    strict,
  ),
  response: Done,
  errors: ['plugin_not_found'],
});

export const uninstallPlugin = route({
  ...platform,
  method: 'DELETE',
  path: '/platform/plugins/{id}',
  summary: 'Delete a plugin with all versions, and the connections and credentials that organisations have of it',
  audit: 'superadmin.changed',
  params,
  response: Done,
  errors: ['plugin_not_found', 'conflict'],
});

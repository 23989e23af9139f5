import { CATEGORIES, CONNECTION_STATES, CONNECTOR_ERROR_CODES, GATE_STATES, OWN_ROUTE_SEGMENT } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Item, Nullable, One, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { PLUGIN_TRUSTS } from '../../platform/model/connector-catalogue.ts';

const strict = { additionalProperties: false } as const;

/** Address of a card, `sast/opengrep`; a connector's id is taken too. Percent-encoded in a path. */
const ConnectorAddress = Type.Object({ id: Type.String({ minLength: 1, maxLength: 200 }) });

/** Keys of the categories of the catalogue. Source: specification §9. */
const CATEGORY_KEYS = Object.keys(CATEGORIES);

/** What is stored of one field of the form. A secret shows its last four characters at most; a plain field its value. */
export const FieldState = Type.Object({
  set: Type.Boolean(),
  /** Last four characters of a secret of 12 or more; else null. */
  hint: Nullable(Type.String()),
  /** Value of a field that is no secret; null for secrets. */
  value: Type.Unknown(),
});

/** Why a connection is where it is. */
export const StateDetail = Type.Object({
  code: Nullable(OneOf(CONNECTOR_ERROR_CODES)),
  message: Nullable(Type.String()),
  /** What the person can do about it. */
  help: Nullable(Type.String()),
  /** When the host tries again by itself. */
  retry_at: Nullable(Timestamp),
  /** Who the credentials belong to, as the service said at the last check. */
  identity: Nullable(Type.String()),
  scopes: Type.Array(Type.String()),
});

/** Why nothing runs, and who decided it. */
export const Gate = Type.Object({
  state: OneOf(GATE_STATES),
  by: Nullable(Type.String()),
  at: Nullable(Timestamp),
  reason: Nullable(Type.String()),
});

/** What the connector brings, for the buttons of its card. */
export const ABILITIES = [
  'check',
  'sync',
  'upload',
  'scm',
  'cloud',
  'remediator',
  'tickets',
  'notify',
  'scanner',
  'webhook',
] as const;

export const ConnectorAttributes = Type.Object({
  id: Type.String(),
  plugin: Type.Object({
    id: Type.String(),
    version: Type.String(),
    publisher: Nullable(Type.String()),
    /** Where its code runs: `own` and `trusted` inside the server, `isolated` and `exposed` in a process of its own. */
    trust: OneOf(PLUGIN_TRUSTS),
  }),
  title: Type.String(),
  category: OneOf(CATEGORY_KEYS),
  image: Type.String(),
  description: Type.String(),
  documentation: Nullable(Type.String()),
  commercial: Type.Boolean(),
  /** Why it cannot be used at all, by its maker; null where it can. */
  disabled: Nullable(Type.String()),
  /** False while an organisation's or the platform's switch is off, or in quarantine. */
  enabled: Type.Boolean(),
  gate: Gate,
  is_configured: Type.Boolean(),
  /** Times successfully connected is more than none: the first success is celebrated once. */
  was_connected: Type.Boolean(),
  state: OneOf(CONNECTION_STATES),
  state_detail: StateDetail,
  last_check: Nullable(Timestamp),
  last_sync: Nullable(Timestamp),
  auth: OneOf(['none', 'bearer', 'header', 'basic', 'address', 'oauth2']),
  /** Whether people can sign in at the service instead of typing a token; null where there is no such way. */
  sign_in: Nullable(
    Type.Object({
      ready: Type.Boolean(),
      /** Why not, and what to do; null where it is ready. */
      message: Nullable(Type.String()),
      /** Somebody signed in, or typed in a token. */
      signed_in: Type.Boolean(),
      /** The application is installed at the service as a second step. */
      installation: Type.Boolean(),
    }),
  ),
  /** Hosts it talks to, templates unresolved. */
  egress: Type.Array(Type.String()),
  abilities: Type.Array(OneOf(ABILITIES)),
  /** Family of findings that its reports bring; null where no report belongs to it. */
  family: Nullable(Type.String()),
  /** JSON Schema of the form. */
  credentials: Type.Unknown(),
  fields: Type.Record(Type.String(), FieldState),
  /** A page of the connector's own, at `/connectors/{id}/view`; null where it has none, or no connection. */
  view: Nullable(Type.Object({ title: Type.String() })),
  /** Where the service sends its deliveries, below the server's own address; null where it sends none or nothing is stored. */
  webhook_path: Nullable(Type.String()),
});

export const listConnectors = route({
  method: 'GET',
  path: '/connectors',
  tag: 'connectors',
  summary: 'The catalogue: every connector with its form and the state of its connection',
  access: { permission: 'connectors.read', tenant: true },
  response: Type.Object({ data: Type.Array(Item(ConnectorAttributes)) }),
});

export const getConnector = route({
  method: 'GET',
  path: '/connectors/{id}',
  tag: 'connectors',
  summary: 'One connector',
  access: { permission: 'connectors.read', tenant: true },
  params: ConnectorAddress,
  response: One(ConnectorAttributes),
  errors: ['connector_not_found'],
});

export const showConnectorView = route({
  method: 'GET',
  path: '/connectors/{id}/view',
  tag: 'connectors',
  summary: 'The page that a connector brings, for a frame without network, storage and session',
  access: { permission: 'connectors.read', tenant: true },
  params: ConnectorAddress,
  response: Type.String(),
  responseKind: 'file',
  errors: ['connector_not_found', 'not_found'],
});

export const HistoryEntry = Type.Object({
  at: Timestamp,
  event: Type.String(),
  from: OneOf(CONNECTION_STATES),
  to: OneOf(CONNECTION_STATES),
  code: Nullable(OneOf(CONNECTOR_ERROR_CODES)),
  message: Nullable(Type.String()),
  /** Name of the person; null where the server acted by itself. */
  by: Nullable(Type.String()),
});

export const listConnectorHistory = route({
  method: 'GET',
  path: '/connectors/{id}/history',
  tag: 'connectors',
  summary: 'What happened to a connection, newest first, at most 100 entries',
  access: { permission: 'connectors.read', tenant: true },
  params: ConnectorAddress,
  response: Type.Object({ data: Type.Array(HistoryEntry) }),
  errors: ['connector_not_found'],
});

export const saveConnector = route({
  method: 'PUT',
  path: '/connectors/{id}',
  tag: 'connectors',
  summary: 'Store fields of the form and, once configured, check the connection; fields left out stay as they are',
  // A request to the service may take 30 s and runs outside any transaction.
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.configured',
  params: ConnectorAddress,
  body: Type.Object({ values: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown()) }, strict),
  response: One(ConnectorAttributes),
  errors: ['connector_not_found', 'conflict'],
});

export const checkConnector = route({
  method: 'POST',
  path: '/connectors/{id}/check',
  tag: 'connectors',
  summary: 'Test the connection now; the answer tells the state, also when the service refused',
  access: { permission: 'connectors.write', tenant: false },
  params: ConnectorAddress,
  response: One(ConnectorAttributes),
  errors: ['connector_not_found', 'conflict', 'integration_not_configured', 'connection_expired'],
});

/** Values that a service offers for a field of its form. */
export const OfferedValues = Type.Object({
  values: Type.Array(Type.Object({ value: Type.String(), label: Type.String() })),
  /** False where the service has more than these 1,000. */
  is_complete: Type.Boolean(),
});

export const offerValues = route({
  method: 'POST',
  path: '/connectors/{id}/offers',
  tag: 'connectors',
  summary:
    'What the service offers for one field of the form, asked with the fields as they are typed; nothing is stored',
  access: { permission: 'connectors.write', tenant: false },
  params: ConnectorAddress,
  body: Type.Object(
    {
      /** A field whose schema says `offers`. */
      field: Type.String({ minLength: 1, maxLength: 100 }),
      /** Fields that are not stored yet, as in a save; those left out are as they are stored. */
      values: Type.Record(Type.String({ maxLength: 100 }), Type.Unknown()),
    },
    strict,
  ),
  response: Type.Object({ data: OfferedValues }),
  errors: ['connector_not_found', 'conflict', 'integration_not_configured', 'upstream_failed'],
});

export const authorizeConnector = route({
  method: 'POST',
  path: '/connectors/{id}/authorize',
  tag: 'connectors',
  summary: 'Begin to sign in at the service: where to send the person',
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.authorized',
  params: ConnectorAddress,
  body: Type.Object({ step: Type.Optional(OneOf(['sign-in', 'installation'])) }, strict),
  response: Action(Type.Object({ url: Type.String() })),
  errors: ['connector_not_found', 'conflict', 'integration_not_configured'],
});

export const syncConnector = route({
  method: 'POST',
  path: '/connectors/{id}/sync',
  tag: 'connectors',
  summary: 'Pull findings from the service now; the work goes on in the background',
  access: { permission: 'connectors.write', tenant: true },
  params: ConnectorAddress,
  response: Action(Type.Object({ job_id: Nullable(Type.String()) })),
  status: 202,
  errors: ['connector_not_found', 'conflict', 'integration_not_configured'],
});

export const releaseConnector = route({
  method: 'POST',
  path: '/connectors/{id}/release',
  tag: 'connectors',
  summary: 'End the quarantine after crashes',
  access: { permission: 'connectors.write', tenant: true },
  audit: 'connector.released',
  params: ConnectorAddress,
  response: One(ConnectorAttributes),
  errors: ['connector_not_found', 'conflict'],
});

export const removeConnector = route({
  method: 'DELETE',
  path: '/connectors/{id}',
  tag: 'connectors',
  summary: 'Delete the configuration with its secrets; findings stay',
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.removed',
  params: ConnectorAddress,
  response: Done,
  errors: ['connector_not_found'],
});

const Switch = Type.Object({ enabled: Type.Boolean(), reason: Type.Optional(Type.String({ maxLength: 300 })) }, strict);

export const switchConnector = route({
  method: 'PUT',
  path: '/connectors/{id}/enabled',
  tag: 'connectors',
  summary: 'Switch a connector on or off for the organisation; its data stays',
  access: { permission: 'connectors.write', tenant: true },
  audit: 'connector.switched',
  params: ConnectorAddress,
  body: Switch,
  response: One(ConnectorAttributes),
  errors: ['connector_not_found', 'conflict'],
});

export const switchPlatformConnector = route({
  method: 'PUT',
  path: '/platform/connectors/{id}/enabled',
  tag: 'connectors',
  summary: 'Switch a connector on or off for every organisation',
  access: { permission: 'platform.write', tenant: false },
  audit: 'superadmin.changed',
  params: ConnectorAddress,
  body: Switch,
  response: Done,
  errors: ['connector_not_found'],
});

export const receiveDelivery = route({
  method: 'POST',
  path: '/hooks/{token}',
  tag: 'connectors',
  summary: 'A delivery of a connected service, proven by its signature or token',
  access: { public: true },
  params: Type.Object({ token: Type.String({ pattern: '^[A-Za-z0-9_-]{32}$' }) }),
  bodyKind: 'stream',
  response: Done,
  errors: ['not_found', 'forbidden', 'validation_failed', 'payload_too_large', 'conflict', 'upstream_failed'],
});

/** A segment of the path of a connector's own route. */
const Segment = Type.String({ pattern: `^${OWN_ROUTE_SEGMENT}$` });
const OwnRoute = Type.Object({ ...ConnectorAddress.properties, name: Segment });
const OwnRouteInGroup = Type.Object({ ...ConnectorAddress.properties, group: Segment, name: Segment });

const ownRoute = {
  tag: 'connectors',
  // the least of all; what the route asks for is checked when it is known
  access: { permission: 'findings.read', tenant: false },
  response: Type.Object({ data: Type.Unknown() }),
  errors: ['connector_not_found', 'not_found', 'conflict', 'integration_not_configured', 'upstream_failed'],
} as const;
const ownRead = { method: 'GET', query: Type.Record(Type.String(), Type.Unknown()) } as const;
const ownCall = { method: 'POST', body: Type.Record(Type.String(), Type.Unknown()) } as const;

/** Own routes of connectors that an organisation added; those of other plugins have a path each. */
export const askOwnRoute = route({
  ...ownRoute,
  ...ownRead,
  path: '/connectors/{id}/routes/{name}',
  summary: 'Ask an own route of a connector that the organisation added',
  params: OwnRoute,
});

export const callOwnRoute = route({
  ...ownRoute,
  ...ownCall,
  path: '/connectors/{id}/routes/{name}',
  summary: 'Call an own route of a connector that the organisation added',
  params: OwnRoute,
});

export const askOwnRouteInGroup = route({
  ...ownRoute,
  ...ownRead,
  path: '/connectors/{id}/routes/{group}/{name}',
  summary: 'Ask an own route of two segments',
  params: OwnRouteInGroup,
});

export const callOwnRouteInGroup = route({
  ...ownRoute,
  ...ownCall,
  path: '/connectors/{id}/routes/{group}/{name}',
  summary: 'Call an own route of two segments',
  params: OwnRouteInGroup,
});

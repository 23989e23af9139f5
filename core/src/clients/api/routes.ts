import { CONNECTION_STATES } from '@breakwater/sdk';
import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Nullable, OneOf } from '../../platform/api/envelope.ts';
import { settingsChangeFields } from '../../prioritisation/model/settings/priority-settings.ts';
import { ClientDetail, CompanyChange, SCHEDULES } from './client-detail.ts';

const strict = { additionalProperties: false } as const;

/** The client detail, signed. Anybody can read it; who holds the server's key ring can verify it. */
const SignedClient = Type.String({ contentMediaType: 'application/jwt', contentSchema: ClientDetail });

/** The cards of the AI remediator and of AI validation: fields left out stay, an empty secret stays, null removes all of it. */
const AiForm = Type.Optional(Nullable(Type.Record(Type.String({ maxLength: 100 }), Type.Unknown())));
export const AiConfigurationChange = Type.Object({ remediator: AiForm, validation: AiForm }, strict);

/** Days for which entries of the audit log may stay; the database holds to the same. */
export const AUDIT_RETENTION = { minimum: 90, maximum: 3650 } as const;

/** Days for which reports may stay as they were uploaded; the database holds to the same. */
export const REPORT_RETENTION = { minimum: 7, maximum: 3650 } as const;

/** Settings of the client; unknown keys are 422. */
export const ClientSettings = Type.Object(
  {
    organization_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    legal_name: Type.Optional(Type.String({ maxLength: 200 })),
    address: Type.Optional(Type.String({ maxLength: 1000 })),
    enable_false_positive_analysis: Type.Optional(Type.Boolean()),
    schedule_scan: Type.Optional(OneOf(SCHEDULES)),
    pipeline_integration: Type.Optional(Type.Boolean()),
    autonomous_scan: Type.Optional(Type.Boolean()),
    excluded_tools: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, uniqueItems: true })),
    /** Days for which entries of the audit log stay. */
    audit_retention_days: Type.Optional(Type.Integer(AUDIT_RETENTION)),
    /** Days for which reports stay as they were uploaded; those that an import may still need stay longer. */
    report_retention_days: Type.Optional(Type.Integer(REPORT_RETENTION)),
    /** People who sign in with a password set up two-factor before anything else. */
    require_2fa: Type.Optional(Type.Boolean()),
    /** Access token of Google; kept in the vault and never read back. Null removes it. */
    google_oauth_token: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 4096, pattern: '^[!-~]*$' }))),
    company: Type.Optional(CompanyChange),
    /** Where remediation tickets go; null removes it. The same as the card of the ticket webhook. */
    issue_webhook: Type.Optional(
      Nullable(
        Type.Object(
          {
            url: Type.Optional(Type.String({ maxLength: 2000 })),
            mapping: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.String({ maxLength: 2000 }))),
            /** Never read back. Left out or empty it stays, null removes it. */
            signing_secret: Type.Optional(Nullable(Type.String({ maxLength: 500 }))),
          },
          strict,
        ),
      ),
    ),
    /** The same as `PUT /client/prioritisation`: what is absent stays. */
    prioritisation: Type.Optional(Type.Object(settingsChangeFields, strict)),
    /** The same as `POST /client/openai`. */
    ai_configuration: Type.Optional(AiConfigurationChange),
    /** Chooses the free plan. Paid plans are bought, not set. */
    subscription: Type.Optional(Type.Object({ tier: Type.Literal('free') }, strict)),
  },
  { ...strict, minProperties: 1 },
);

export const getClient = route({
  method: 'GET',
  path: '/client',
  tag: 'clients',
  summary: 'The organisation as a signed document (JWS); a developer gets its name and plan only',
  access: { permission: 'account.use', tenant: true },
  response: Type.Object({ data: SignedClient }),
});

export const updateClient = route({
  method: 'PUT',
  path: '/client',
  tag: 'clients',
  summary: 'Change settings of the organisation; only the given keys change',
  // The ticket webhook is a connection, whose check runs outside any transaction.
  access: { permission: 'settings.write', tenant: false },
  audit: 'settings.changed',
  body: ClientSettings,
  response: Done,
  errors: ['conflict', 'integration_not_configured', 'upstream_failed'],
});

/** Which connector: `plugins.cloud`, `plugins.cloud.aws`, `plugins.github`, an address such as `sast/fortify`, or an alias. */
const Key = Type.String({ minLength: 1, maxLength: 200 });
const Values = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown());

/** A save: key and values. For `plugins.cloud` values are by cloud, and each cloud given is merged into what is stored. */
export const ConfigBody = Type.Object({ key: Key, values: Values }, strict);
/** A removal: the key in the body or in the query. */
export const ConfigKeyBody = Type.Object({ key: Type.Optional(Key) }, strict);
export const ConfigKeyQuery = Type.Object({ key: Type.Optional(Key) }, strict);

/** What the browser needs after a save or removal. */
export const ConfigAnswer = Action(
  Type.Object({
    /** As `GET /client` answers it. */
    client: Type.String({ contentMediaType: 'application/jwt' }),
    connectors: Type.Array(
      Type.Object({
        _id: Type.String(),
        isConfigured: Type.Boolean(),
        state: OneOf(CONNECTION_STATES),
        /** Why it is not connected, in words for people. */
        message: Nullable(Type.String()),
      }),
    ),
    /** The scan of clouds that was asked for. */
    scan_request: Nullable(Id),
  }),
);

export const saveConfig = route({
  method: 'PUT',
  path: '/client/config',
  tag: 'clients',
  summary: 'Store the configuration of a connector; after a cloud a scan of clouds is requested',
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.configured',
  body: ConfigBody,
  response: ConfigAnswer,
  errors: ['connector_not_found', 'conflict'],
});

export const removeConfig = route({
  method: 'DELETE',
  path: '/client/config',
  tag: 'clients',
  summary: 'Delete the configuration of a connector, with its secrets',
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.removed',
  query: ConfigKeyQuery,
  body: ConfigKeyBody,
  response: ConfigAnswer,
  errors: ['connector_not_found', 'conflict'],
});

export const getScannerCli = route({
  method: 'GET',
  path: '/semgrep-cli',
  tag: 'clients',
  summary: 'What is stored for the scanner CLI; never its token',
  access: { permission: 'connectors.read', tenant: true },
  response: Type.Object({
    data: Type.Object({
      has_token: Type.Boolean(),
      token_hint: Nullable(Type.String()),
      config: Nullable(Type.String()),
    }),
  }),
});

export const saveScannerCli = route({
  method: 'POST',
  path: '/semgrep-cli',
  tag: 'clients',
  summary: 'Store token and rules of the scanner CLI; a stored token stays where none is given',
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.configured',
  body: Type.Object(
    {
      token: Type.Optional(Type.String({ maxLength: 10_000 })),
      config: Type.Optional(Nullable(Type.String({ maxLength: 10_000 }))),
    },
    strict,
  ),
  response: Done,
  errors: ['conflict', 'validation_failed'],
});

export const removeScannerCli = route({
  method: 'DELETE',
  path: '/semgrep-cli',
  tag: 'clients',
  summary: 'Delete token and rules of the scanner CLI',
  access: { permission: 'connectors.write', tenant: false },
  audit: 'connector.removed',
  response: Done,
  errors: ['conflict'],
});

import { CONNECTION_STATES } from '@breakwater/sdk';
import { type TSchema, Type } from 'typebox';
import { Id, Nullable, OneOf, Timestamp } from '../../platform/api/envelope.ts';
import { settingsFields } from '../../prioritisation/model/settings/priority-settings.ts';
import { SECTIONS } from '../model/connector-sections.ts';

const strict = { additionalProperties: false } as const;
const Text = Type.String({ maxLength: 200 });
const Places = Type.Array(Type.String({ minLength: 1, maxLength: 300 }), { maxItems: 100 });
const Coordinate = Type.Object(
  { lat: Type.Number({ minimum: -90, maximum: 90 }), long: Type.Number({ minimum: -180, maximum: 180 }) },
  strict,
);
const Sites = Type.Object({ locations: Places }, strict);

const information = {
  legal_name: Text,
  parent_company: Text,
  global_entity_identifier: Text,
  category: Text,
  url_company: Type.String({ maxLength: 2000, pattern: '^$|^https?://[^/?#\\s@]+([/?#]\\S*)?$' }),
};
const structure = {
  headquarters: Type.Object({ coordinate: Nullable(Coordinate), locations: Places }, strict),
  subsidiary: Sites,
  branch: Sites,
  service: Sites,
  data_processing: Sites,
};
const regulations = {
  applicable_regulations: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }),
};

/** What an organisation says of itself. Source: specification §3 "Client detail". */
export const Company = Type.Object({
  information: Type.Object(information),
  structure: Type.Object(structure),
  regulations: Type.Object(regulations),
});

/** Change of it: fields left out stay, each part of the structure is replaced as a whole. */
export const CompanyChange = Type.Object(
  {
    information: Type.Optional(Type.Partial(Type.Object(information), strict)),
    structure: Type.Optional(Type.Partial(Type.Object(structure), strict)),
    regulations: Type.Optional(Type.Partial(Type.Object(regulations), strict)),
  },
  strict,
);

export const SCHEDULES = ['none', 'weekly', 'monthly'] as const;

interface Fields {
  fields: readonly string[];
  secrets: readonly string[];
}

/** Of a secret: whether it is stored, and its last four characters where it has twelve or more. */
const secretPair = (name: string): [string, TSchema][] => [
  [`has_${name}`, Type.Boolean()],
  [`${name}_hint`, Nullable(Type.String())],
];

/** What is stored for a connector. */
const section = ({ fields, secrets }: Fields) =>
  Type.Object({
    ...Object.fromEntries([
      ...fields.map((name): [string, TSchema] => [name, Type.Unknown()]),
      ...secrets.flatMap(secretPair),
    ]),
    /** Every required field of the form is stored. */
    isConfigured: Type.Boolean(),
    state: OneOf(CONNECTION_STATES),
  });

/** The models of the organisation: one writes fixes, the other judges findings. Source: specification §3 "ai_configuration". */
export const AiConfiguration = Type.Object({
  remediator: section(SECTIONS.remediator),
  validation: section(SECTIONS.validation),
});

/**
 * Payload of `GET /client`. Holds no secret. A developer gets who the organisation is; all else is null.
 * Source: specification §3 "Client detail", decisions.md "Envelopes" and "Roles".
 */
export const ClientDetail = Type.Object({
  _id: Id,
  organization_name: Type.String(),
  account_setup_at: Timestamp,
  subscription: Type.Object({ tier: Type.String() }),
  legal_name: Nullable(Type.String()),
  address: Nullable(Type.String()),
  /** What Stripe returned of the card, for admins: no number is stored here. */
  credit_card: Nullable(Type.Object({ brand: Type.String(), last4: Type.String() })),
  reminder_sent_at: Nullable(Timestamp),
  enable_false_positive_analysis: Nullable(Type.Boolean()),
  schedule_scan: Nullable(OneOf(SCHEDULES)),
  pipeline_integration: Nullable(Type.Boolean()),
  autonomous_scan: Nullable(Type.Boolean()),
  excluded_tools: Nullable(Type.Array(Type.String())),
  /** Days for which entries of the audit log stay. */
  audit_retention_days: Nullable(Type.Integer()),
  /** Days for which reports stay as they were uploaded. */
  report_retention_days: Nullable(Type.Integer()),
  /** Whether people who sign in with a password have to set up two-factor. */
  require_2fa: Nullable(Type.Boolean()),
  has_google_oauth_token: Type.Boolean(),
  google_oauth_token_hint: Nullable(Type.String()),
  issue_webhook: Nullable(Type.Object({ url: Type.String(), mapping: Type.Record(Type.String(), Type.String()) })),
  company: Nullable(Company),
  semgrep_cli: Nullable(section(SECTIONS.semgrep_cli)),
  black_duck: Nullable(section(SECTIONS.black_duck)),
  fortify: Nullable(section(SECTIONS.fortify)),
  checkmarx: Nullable(section(SECTIONS.checkmarx)),
  plugins: Nullable(
    Type.Object({
      github: section(SECTIONS.github),
      gitlab: section(SECTIONS.gitlab),
      bitbucket_cloud: section(SECTIONS.bitbucket_cloud),
      gitea: section(SECTIONS.gitea),
      cloud: Type.Object({
        aws: section(SECTIONS.aws),
        azure: section(SECTIONS.azure),
        gcp: section(SECTIONS.gcp),
        oracle_oci: section(SECTIONS.oracle_oci),
      }),
      /** Tokens of machines, newest first; their text is stored nowhere. Superadmins and admins only. */
      plexalyzer: Nullable(
        Type.Array(
          Type.Object({
            name: Type.String(),
            created_at: Timestamp,
            expired_at: Timestamp,
            has_token: Type.Literal(true),
            token_hint: Type.String(),
          }),
        ),
      ),
    }),
  ),
  ai_configuration: Nullable(AiConfiguration),
  /** Weights 0-100; those of the product while the organisation has none of its own. Source: specification §3. */
  prioritisation: Nullable(Type.Object(settingsFields)),
  /** When it was signed, in seconds since 1970. */
  iat: Type.Integer(),
});

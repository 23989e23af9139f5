// no text in this file: its errors are for authors
import type { CategoryKey, DeclaredCapabilities } from './categories.ts';
import {
  type CredentialSchema,
  NO_CREDENTIALS,
  type NoCredentials,
  requiredFieldsAreFilled,
  type SecretKey,
  type StoredFields,
} from './credentials.ts';
import type { FindingType } from './findings/finding.ts';

/**
 * How the host signs requests, as data. Values are templates over the credential fields: `{{api_token}}`.
 * Secrets may stand here and nowhere else.
 */
export type Auth =
  | { readonly type: 'none' }
  /** `Authorization: Bearer <value>` */
  | { readonly type: 'bearer'; readonly value: string }
  /** `<name>: <value>` */
  | { readonly type: 'header'; readonly name: string; readonly value: string }
  /** `Authorization: Basic base64(<value>)`; the value is `{{username}}:{{password}}`. */
  | { readonly type: 'basic'; readonly value: string }
  /**
   * The address itself is the secret, as of an incoming webhook: `{{webhook_url}}`, one field for all of it. The host sends requests with the path
   * '' there, by https and to hosts of `permissions.egress` alone, and the code never sees it. Such a connector has no `baseUrl`.
   */
  | { readonly type: 'address'; readonly value: string }
  | OAuth2;

/** OAuth 2.0 authorization code grant. Addresses may hold templates over public fields, for self-hosted services. */
export interface OAuth2 {
  readonly type: 'oauth2';
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  readonly revokeUrl?: string;
  readonly scopes: readonly string[];
  /** Proof key for code exchange (RFC 7636). Default true. */
  readonly pkce?: boolean;
  /** Where the client's own secret goes in a token request. Default `body`. */
  readonly tokenAuth?: 'basic' | 'body';
  /**
   * Words with which the service refuses a code or refresh token where they mean something else in RFC 6749 §5.2: `unauthorized_client` of
   * Gitea. A person has to connect again.
   */
  readonly tokenErrors?: readonly string[];
  /** Where it goes when a token is revoked. Default as in a token request. */
  readonly revokeAuth?: 'basic' | 'body';
  /** Whether a refresh answers with a new refresh token, keeps the old one, or does not exist. Default `rotate`. */
  readonly refresh?: 'rotate' | 'reuse' | 'none';
  /** Secret field that holds the access token; it may also be typed in by hand. Default `oauth_token`. */
  readonly tokenField?: string;
  /** Secret field that holds the refresh token. Default `refresh_token`. */
  readonly refreshField?: string;
  /** Public field for the id of an application of the organisation's own, for services that people host themselves. */
  readonly clientIdField?: string;
  /** Secret field for that application's secret. */
  readonly clientSecretField?: string;
  /** Where a person chooses what the application may see, after signing in: GitHub's installations. */
  readonly installation?: OAuthInstallation;
  /**
   * Set where a token that is refused and cannot be renewed ends the connection: its configuration is deleted and this is
   * said. Source: specification §8 "Bitbucket 401 with no refresh token".
   */
  readonly expired?: string;
}

/** A second page of the service, on which the application is installed. */
export interface OAuthInstallation {
  /** Its address; `{app}` stands for the name under which the operator registered the application. */
  readonly url: string;
  /** Public field that keeps the id of the installation, and the parameter in which the service hands it back. */
  readonly field: string;
}

/** What a connector may do, shown to the admin before it is enabled. Everything else is refused by the host. */
export interface Permissions<Secret extends string = string> {
  /** Hosts it talks to: `api.example.com`, `*.example.com`, `{{hosted_domain}}`, each with an optional `:port`. */
  readonly egress: readonly string[];
  /** Secrets that its code may read through `ctx.reveal`, because the host cannot sign for it. */
  readonly reveal?: readonly Secret[];
}

/** A page that the host shows in a frame without network, storage and session; see `@breakwater/sdk/view`. */
export interface ConnectorView {
  /** Heading above it. */
  readonly title: string;
  /** One HTML file with its scripts and styles inside, below the folder of the manifest: `view/index.html`. At most 512 KiB. */
  readonly entry: string;
}

/** Which importer reads the reports of this card, and the family of findings that the card stands for. */
export interface ReportSource {
  /** Name of an importer of the same plugin (`PluginSpec.importers`). */
  readonly tool: string;
  /** `trivy-container` gives Container where `trivy-sca` gives SCA. A parser that knows better per result ignores it. */
  readonly family: FindingType;
}

/** What the catalogue shows of a connector, and how it reaches its service. */
interface ConnectorData<Id extends string> {
  /** Catalogue id, unique among all plugins: `gitea`, `trivy-container`, `kics-ci/cd`. Lower case. */
  readonly id: Id;
  /** Name on the card. Category and title together are the address, see `connectorAddress`. */
  readonly title: string;
  readonly category: CategoryKey;
  /** Picture on the card: `monogram('Gr')`, another data address of an SVG or PNG, or a path of the application (`/images/…`). */
  readonly image: string;
  /** One sentence: what it finds or does. */
  readonly description: string;
  /** Vendor's documentation, https. */
  readonly documentation?: string;
  /** True when using it needs a paid licence of the vendor. */
  readonly commercial?: boolean;
  /** A disabled card explains itself and refuses to be enabled or checked. */
  readonly disabled?: { readonly reason: string };
  /** Root of the service, `https://{{hosted_domain}}/api/v1`. Required where it talks to one, unless `auth` is an address. */
  readonly baseUrl?: string;
  /**
   * Further roots by name, `{ login: 'https://login.example.com' }`, for `ctx.http` with `service: 'login'`. The host signs
   * only requests to `baseUrl`.
   */
  readonly services?: Readonly<Record<string, string>>;
  /** Versions of the capability contracts it was written for. Left out: 1. */
  readonly capabilities?: DeclaredCapabilities;
  /** Set where reports of this card can be uploaded. */
  readonly parser?: ReportSource;
  /** A page of its own, shown with each connection. */
  readonly view?: ConnectorView;
}

/** A connector as its author writes it. Data only; code is attached with `defineServer`. */
export interface ConnectorSpec<S extends CredentialSchema, Id extends string, A extends Auth>
  extends ConnectorData<Id> {
  /** The form. Default: no fields. */
  readonly credentials?: S;
  /** How the host signs requests. Default: none. */
  readonly auth?: A;
  /** Default: nothing at all. */
  readonly permissions?: Permissions<SecretKey<S>>;
  /** Whether the stored fields suffice. Default: every required field is filled, `requiredFieldsAreFilled`. */
  isConfigured?(stored: StoredFields<S>): boolean;
}

/** A connector with its defaults filled in and its literal types kept. */
export interface Connector<S extends CredentialSchema, Id extends string = string, A extends Auth = Auth>
  extends ConnectorData<Id> {
  readonly credentials: S;
  readonly auth: A;
  readonly permissions: Permissions<SecretKey<S>>;
  isConfigured?(stored: StoredFields<S>): boolean;
}

/** Any connector, as the host handles it. An own interface, because `Connector` is invariant in its schema. */
export interface AnyConnector extends ConnectorData<string> {
  readonly credentials: CredentialSchema;
  readonly auth: Auth;
  readonly permissions: Permissions;
  isConfigured?(stored: Readonly<Record<string, unknown>>): boolean;
}

/** Any connector before its defaults are filled in. */
export interface AnyConnectorSpec extends ConnectorData<string> {
  readonly credentials?: CredentialSchema;
  readonly auth?: Auth;
  readonly permissions?: Permissions;
  isConfigured?(stored: Readonly<Record<string, unknown>>): boolean;
}

/** Authorization of a connector that writes none. */
export interface NoAuth {
  readonly type: 'none';
}

/**
 * Declares a connector and keeps the literal types of its id, form and authorization, so that `ctx.config`, `ctx.reveal`
 * and `defineServer` know them. Its content is checked by `definePlugin`.
 */
export function defineConnector<
  const S extends CredentialSchema = NoCredentials,
  const Id extends string = string,
  const A extends Auth = NoAuth,
>(spec: ConnectorSpec<S, Id, A>): Connector<S, Id, A>;
export function defineConnector(spec: AnyConnectorSpec): AnyConnector {
  return withDefaults(spec);
}

/** A connector with its defaults filled in. */
export function withDefaults(spec: AnyConnectorSpec): AnyConnector {
  return {
    ...spec,
    credentials: spec.credentials ?? NO_CREDENTIALS,
    auth: spec.auth ?? { type: 'none' },
    permissions: spec.permissions ?? { egress: [] },
  };
}

/** Whether what is stored suffices to use the connector: its own rule, else every required field is filled. A secret is `true`. */
export function isConfigured(connector: AnyConnector, stored: Readonly<Record<string, unknown>>): boolean {
  return connector.isConfigured?.(stored) ?? requiredFieldsAreFilled(connector.credentials, stored);
}

/**
 * Picture for a card without a logo: one to three letters or digits on a violet square, as an SVG data address.
 * White on the violet has a contrast of 6.3:1 and the square shows on light and dark cards alike. Source: look.md "Connector card".
 */
export function monogram(letters: string): string {
  if (!/^[A-Za-z0-9]{1,3}$/.test(letters)) throw new RangeError('A monogram is one to three letters or digits.');
  const fontSize = letters.length === 3 ? 12 : 14;
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32" viewBox="0 0 32 32">' +
    '<rect width="32" height="32" rx="6" fill="#634dbf"/>' +
    `<text x="16" y="21" fill="#fff" font-family="sans-serif" font-size="${fontSize}" font-weight="600" ` +
    `text-anchor="middle">${letters}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

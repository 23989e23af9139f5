import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import Provider from 'oidc-provider';

/** A person at a test provider. */
export interface ProviderPerson {
  email: string;
  email_verified?: boolean;
  preferred_username?: string;
  groups?: string[];
}

export const CLIENT_ID = 'breakwater';
export const CLIENT_SECRET = 'quiet-harbour-client-secret-4711';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The provider has no port.');
  return `http://127.0.0.1:${address.port}`;
};

const stop = (server: Server) => async (): Promise<void> => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
};

export interface OidcServer {
  issuer: string;
  people: Map<string, ProviderPerson>;
  /** Who signs in next, by subject. */
  signsIn: string;
  close(): Promise<void>;
}

const providerFor = (issuer: string, redirectUris: string[], self: Pick<OidcServer, 'people'>): Provider =>
  new Provider(issuer, {
    clients: [{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['preferred_username', 'groups'] },
    features: { devInteractions: { enabled: false } },
    cookies: { keys: ['test'] },
    ttl: { Interaction: 60, Session: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: (_context, subject) => ({
      accountId: subject,
      claims: () => ({ sub: subject, ...self.people.get(subject) }),
    }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client?.clientId ?? '',
        accountId: oidc.session?.accountId ?? '',
      });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });

/** A real OpenID Connect server on loopback (oidc-provider), in which `signsIn` enters without a form. */
export const startOidcServer = async (redirectUris: string[]): Promise<OidcServer> => {
  let listener: Listener = (_request, response) => void response.end();
  const server = createServer((request, response) => listener(request, response));
  const issuer = await listen(server);
  const self: OidcServer = { issuer, people: new Map(), signsIn: '', close: stop(server) };
  const provider = providerFor(issuer, redirectUris, self);
  const handle = provider.callback();
  listener = (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) void handle(request, response);
    else void provider.interactionFinished(request, response, { login: { accountId: self.signsIn } });
  };
  return self;
};

/** Follows a browser through a provider until it is sent to another site. @returns the address that it is sent to */
export const followSignIn = async (address: string): Promise<URL> => {
  const cookies = new Map<string, string>();
  const { origin } = new URL(address);
  let url = new URL(address);
  for (let hop = 0; hop < 10 && url.origin === origin; hop += 1) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) throw new Error(`The provider did not lead on: ${response.status} ${await response.text()}`);
    url = new URL(location, url);
  }
  return url;
};

export interface ForgedToken {
  claims?: Record<string, unknown>;
  /** `none`: unsigned. `unknown`: by a key that the provider does not publish. */
  signature?: 'right' | 'none' | 'unknown';
}

export interface ForgingServer {
  issuer: string;
  /** What the next ID token says, besides what is right. */
  next: ForgedToken;
  /** Nonce of the sign-in that is being answered. */
  nonce: string;
  /** What the discovery document says instead of what is right. */
  metadata: Record<string, unknown>;
  /** What its userinfo endpoint says to the bearer of the access token `x`. */
  userinfo: Record<string, unknown>;
  close(): Promise<void>;
}

const json = (response: ServerResponse, value: unknown): void => {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(value));
};

/** A provider on loopback that forges: its ID tokens are whatever a test asks for. */
export const startForgingServer = async (): Promise<ForgingServer> => {
  const [own, other] = await Promise.all([generateKeyPair('RS256'), generateKeyPair('RS256')]);
  const key = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => void answer(request, response));
  const issuer = await listen(server);
  const self: ForgingServer = { issuer, next: {}, nonce: '', metadata: {}, userinfo: {}, close: stop(server) };
  const idToken = async (): Promise<string> => {
    const now = Math.floor(Date.now() / 1000);
    const right = { iss: issuer, aud: CLIENT_ID, sub: 'forged', iat: now, exp: now + 60, nonce: self.nonce };
    const claims = { ...right, email: 'forged@example.test', email_verified: true, ...self.next.claims };
    if (self.next.signature === 'none') return new UnsecuredJWT(claims).encode();
    const isUnknown = self.next.signature === 'unknown';
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', kid: isUnknown ? 'other' : 'own' })
      .sign(isUnknown ? other.privateKey : own.privateKey);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/jwks') return json(response, { keys: [key] });
    if (request.url === '/userinfo') {
      if (request.headers.authorization === 'Bearer x') return json(response, self.userinfo);
      response.writeHead(401, { 'www-authenticate': 'Bearer error="invalid_token"' });
      response.end();
      return;
    }
    if (request.url === '/token') {
      return json(response, { access_token: 'x', token_type: 'Bearer', expires_in: 60, id_token: await idToken() });
    }
    const endpoints = { authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` };
    json(response, {
      issuer,
      ...endpoints,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      ...self.metadata,
    });
  };
  return self;
};

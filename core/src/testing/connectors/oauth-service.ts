import { createHash, randomUUID } from 'node:crypto';
import type { FakeService, ServiceAnswer, ServiceRequest } from './fake-service.ts';

interface Granted {
  redirectUri: string;
  challenge: string | null;
}

/** A service with people who consent: authorization codes, proof keys, tokens that end and are renewed once each. */
export interface OAuthService {
  /** The person says yes at the address. @returns where the service sends the browser back to. */
  consent(address: string): URL;
  /** Ends the access tokens that it has given out. */
  expireTokens(): void;
  /** What it answers to the next exchanges, in place of tokens. */
  answerExchange(answer: ((request: ServiceRequest) => ServiceAnswer) | undefined): void;
  /** Fields of the requests for tokens so far. */
  exchanges(): Record<string, string>[];
}

const refused = (error: string): ServiceAnswer => ({ status: 400, body: { error, error_description: `no: ${error}` } });

/** Lets a fake service speak OAuth 2.0 at `/authorize` and `/token`; every other address wants a valid token. */
export const speakOAuth = (service: FakeService, answer: (request: ServiceRequest) => ServiceAnswer): OAuthService => {
  const codes = new Map<string, Granted>();
  const access = new Set<string>();
  const refresh = new Set<string>();
  const asked: Record<string, string>[] = [];
  let instead: ((request: ServiceRequest) => ServiceAnswer) | undefined;

  const grant = (): ServiceAnswer => {
    const tokens = {
      access_token: `access-${randomUUID()}`,
      refresh_token: `refresh-${randomUUID()}`,
      expires_in: 7200,
    };
    access.add(tokens.access_token);
    refresh.add(tokens.refresh_token);
    return { body: tokens };
  };
  const exchange = (fields: Record<string, string>): ServiceAnswer => {
    if (fields['grant_type'] === 'refresh_token') {
      return refresh.delete(fields['refresh_token'] ?? '') ? grant() : refused('invalid_grant');
    }
    const code = fields['code'] ?? '';
    const granted = codes.get(code);
    codes.delete(code);
    if (granted === undefined || granted.redirectUri !== fields['redirect_uri']) return refused('invalid_grant');
    const proof = createHash('sha256')
      .update(fields['code_verifier'] ?? '')
      .digest('base64url');
    return granted.challenge === null || proof === granted.challenge ? grant() : refused('invalid_grant');
  };

  service.behave((request) => {
    if (request.path.startsWith('/token')) {
      const fields = Object.fromEntries(new URLSearchParams(request.body));
      asked.push(fields);
      return instead?.(request) ?? exchange(fields);
    }
    if (request.path.startsWith('/revoke')) return { body: {} };
    const token = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    return access.has(token) ? answer(request) : { status: 401, body: { message: 'bad token' } };
  });

  return {
    consent: (address) => {
      const { searchParams } = new URL(address);
      const redirectUri = searchParams.get('redirect_uri') ?? '';
      const code = `code-${randomUUID()}`;
      codes.set(code, { redirectUri, challenge: searchParams.get('code_challenge') });
      const back = new URL(redirectUri);
      back.searchParams.set('code', code);
      back.searchParams.set('state', searchParams.get('state') ?? '');
      return back;
    },
    expireTokens: () => access.clear(),
    answerExchange: (next) => {
      instead = next;
    },
    exchanges: () => asked,
  };
};

import { type KeyObject, verify } from 'node:crypto';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** What Google knows of one service account. */
export interface FakeGcp {
  readonly email: string;
  readonly keyId: string;
  readonly publicKey: KeyObject;
  readonly isEnabled: boolean;
  readonly project: string;
  readonly mayView: boolean;
  readonly apiEnabled: boolean;
  readonly state: string;
}

const TOKEN = 'ya29.made-for-tests';
const SKEW_SECONDS = 300;

/**
 * Token endpoint and Resource Manager at one address. The signature of the JWT is verified with the public key.
 * Source: Google identity, "Using OAuth 2.0 for Server to Server Applications" with "JWT error codes"; Resource Manager API v3.
 */
export function fakeGcp(gcp: FakeGcp, now: Date): (request: TestRequest) => TestAnswer {
  return (request) => {
    if (request.path === '/token') return tokenAnswer(gcp, new URLSearchParams(request.body), now);
    const project = /^\/v3\/projects\/([^/]+)$/.exec(request.path);
    if (!project) return { status: 404, json: {} };
    if (request.headers['authorization'] !== `Bearer ${TOKEN}`)
      return api(401, 'UNAUTHENTICATED', 'CREDENTIALS_MISSING');
    if (!gcp.apiEnabled) return api(403, 'PERMISSION_DENIED', 'SERVICE_DISABLED');
    if (project[1] !== gcp.project || !gcp.mayView) return api(403, 'PERMISSION_DENIED', 'IAM_PERMISSION_DENIED');
    return {
      json: {
        name: 'projects/415104041262',
        parent: 'organizations/518838128',
        projectId: gcp.project,
        state: gcp.state,
        displayName: 'My Project',
        createTime: '2024-01-09T02:02:12.000Z',
      },
    };
  };
}

function tokenAnswer(gcp: FakeGcp, form: URLSearchParams, now: Date): TestAnswer {
  if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer')
    return oauth('unsupported_grant_type', '');
  const [header = '', payload = '', signature = ''] = (form.get('assertion') ?? '').split('.');
  const head = decoded(header);
  const claims = decoded(payload);
  if (head['alg'] !== 'RS256' || head['typ'] !== 'JWT') return oauth('invalid_grant', 'Invalid JWT Signature.');
  if (claims['iss'] !== gcp.email) return oauth('invalid_grant', 'Invalid grant: account not found');
  if (!gcp.isEnabled) return oauth('invalid_grant', 'Account has been disabled');
  const isSigned = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${payload}`),
    gcp.publicKey,
    Buffer.from(signature, 'base64url'),
  );
  if (!isSigned || head['kid'] !== gcp.keyId) return oauth('invalid_grant', 'Invalid JWT Signature.');
  const issuedAt = Number(claims['iat']);
  const life = Number(claims['exp']) - issuedAt;
  if (!(Math.abs(issuedAt - now.getTime() / 1000) < SKEW_SECONDS && life > 0 && life <= 3600)) {
    return oauth(
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    );
  }
  if (claims['aud'] !== 'https://oauth2.googleapis.com/token')
    return oauth('invalid_grant', 'Invalid JWT: Failed audience check.');
  if (!String(claims['scope']).startsWith('https://www.googleapis.com/auth/')) return oauth('invalid_scope', '');
  return { json: { access_token: TOKEN, scope: String(claims['scope']), token_type: 'Bearer', expires_in: 3600 } };
}

function decoded(part: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))));
}

function oauth(error: string, text: string): TestAnswer {
  return { status: 400, json: { error, error_description: text } };
}

function api(code: number, status: string, reason: string): TestAnswer {
  const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain: 'googleapis.com' }];
  return { status: code, json: { error: { code, message: 'Refused.', status, details } } };
}

import type { Json } from '@breakwater/sdk';
import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** One tenant of Fortify on Demand with one release. */
export interface FakeFortify {
  readonly key: string;
  readonly secret: string;
  readonly release: string;
  readonly mayRead: boolean;
  readonly issues: readonly Json[];
}

const TOKEN = 'made-for-tests-only';

/**
 * Source: Fortify on Demand API v3 (swagger at api.ams.fortify.com): "Authentication", `GET /api/v3/releases/{releaseId}`,
 * `GET /api/v3/releases/{releaseId}/vulnerabilities` with `offset`, `limit` (at most 50), `fields` and `includeSuppressed`.
 */
export function fakeFortify(fortify: FakeFortify): (request: TestRequest) => TestAnswer {
  return ({ method, path, query, headers, body }) => {
    if (method === 'POST' && path === '/oauth/token') return tokenAnswer(fortify, new URLSearchParams(body));
    if (headers['authorization'] !== `Bearer ${TOKEN}`) return { status: 401 };
    if (!fortify.mayRead) return { status: 403, json: { errors: [{ errorCode: 0, message: 'Forbidden' }] } };
    const [, release, list] = /^\/api\/v3\/releases\/(\d+)(\/vulnerabilities)?$/.exec(path) ?? [];
    if (release !== fortify.release) return { status: 404, json: { errors: [{ errorCode: 0, message: 'Not found' }] } };
    if (list === undefined) return { json: RELEASE };
    const offset = Number(query.get('offset') ?? 0);
    const limit = Math.min(Number(query.get('limit') ?? 50), 50);
    const shown = fortify.issues.filter((issue) => query.get('includeSuppressed') === 'true' || !isSuppressed(issue));
    const items = shown.slice(offset, offset + limit).map((issue) => only(issue, query.get('fields')));
    return { json: { items, totalCount: shown.length, offset, limit } };
  };
}

const RELEASE: Json = {
  releaseId: 7,
  releaseName: '2.1',
  releaseDescription: '',
  applicationId: 3,
  applicationName: 'Shop',
  sdlcStatusType: 'Production',
  rating: 3,
};

function tokenAnswer({ key, secret }: FakeFortify, form: URLSearchParams): TestAnswer {
  const isRight =
    form.get('grant_type') === 'client_credentials' &&
    form.get('scope') === 'api-tenant' &&
    form.get('client_id') === key &&
    form.get('client_secret') === secret;
  if (!isRight) return { status: 400, json: { error: 'invalid_client' } };
  return { json: { access_token: TOKEN, token_type: 'bearer', expires_in: 21_599, scope: 'api-tenant' } };
}

function isSuppressed(issue: Json): boolean {
  return typeof issue === 'object' && issue !== null && 'isSuppressed' in issue && issue['isSuppressed'] === true;
}

/** Only the fields that were asked for. */
function only(issue: Json, fields: string | null): Json {
  const wanted = fields?.split(',');
  return Object.fromEntries(
    Object.entries(issue ?? {}).filter(([name]) => wanted === undefined || wanted.includes(name)),
  );
}

/** An issue as the list gives it. */
export function fakeIssue(id: number, change: Readonly<Record<string, Json>> = {}): Json {
  return {
    id,
    vulnId: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    releaseId: 7,
    instanceId: id.toString(16).toUpperCase().padStart(32, '0'),
    category: 'Null Dereference',
    kingdom: 'Code Quality',
    severity: 3,
    severityString: 'High',
    primaryLocation: 'Shop.java',
    primaryLocationFull: 'src/main/java/shop/Shop.java',
    lineNumber: id,
    scantype: 'Static',
    cwe: 'CWE ID 476',
    auditorStatus: 'Pending Review',
    developerStatus: 'Open',
    introducedDate: '2026-01-09T00:00:00',
    isSuppressed: false,
    ...change,
  };
}

import type { TestAnswer, TestRequest } from '@breakwater/sdk/testing';

/** A Checkmarx SAST server with one team. */
export interface FakeCheckmarx {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly username: string;
  readonly password: string;
  readonly team: number;
  readonly projects: readonly FakeProject[];
  /** How often a report is still being written when it is asked for. */
  readonly slowness: number;
}

export interface FakeProject {
  readonly id: number;
  readonly name: string;
  /** XML report of its newest finished scan; without one it was never scanned. */
  readonly report?: string;
}

const TOKEN = 'made-for-tests-only';

/**
 * Source: CxSAST REST API 8.9 to 9.x: "Authentication" (resource owner password grant), `GET /projects?teamId=`,
 * `GET /sast/scans?projectId=&scanStatus=Finished&last=1`, `POST /reports/sastScan` with its status and the report itself.
 */
export function fakeCheckmarx(checkmarx: FakeCheckmarx): (request: TestRequest) => TestAnswer {
  const looks = new Map<string, number>();
  return (request) => {
    const path = request.path.replace(/^\/cxrestapi/, '');
    if (path === '/auth/identity/connect/token') return tokenAnswer(checkmarx, new URLSearchParams(request.body));
    if (request.headers['authorization'] !== `Bearer ${TOKEN}`) return { status: 401 };
    if (path === '/projects') return projectList(checkmarx, Number(request.query.get('teamId')));
    if (path === '/sast/scans') return scanList(checkmarx, request.query);
    if (path === '/reports/sastScan') return order(request);
    return reportAnswer(checkmarx, path, looks);
  };
}

/** Scan of a project: 1000 and its id. A report has the number of its scan and 500000 more. */
const scanOf = (project: FakeProject): number => 1_000_000 + project.id;

function tokenAnswer(known: FakeCheckmarx, form: URLSearchParams): TestAnswer {
  const isClient = form.get('client_id') === known.clientId && form.get('client_secret') === known.clientSecret;
  if (!isClient) return { status: 400, json: { error: 'invalid_client' } };
  const isUser = form.get('username') === known.username && form.get('password') === known.password;
  if (form.get('grant_type') !== 'password' || !isUser) {
    return { status: 400, json: { error: 'invalid_grant', error_description: 'invalid_username_or_password' } };
  }
  return { json: { access_token: TOKEN, expires_in: 86_400, token_type: 'Bearer' } };
}

function projectList({ team, projects }: FakeCheckmarx, asked: number): TestAnswer {
  if (asked !== team) return { status: 404, json: { messageCode: 47_816, messageDetails: 'Team not found' } };
  // Newest first, as the server may: the connector must not rely on an order.
  return { json: projects.toReversed().map(({ id, name }) => ({ id, teamId: team, name, isPublic: true, links: [] })) };
}

function scanList({ projects }: FakeCheckmarx, query: URLSearchParams): TestAnswer {
  if (query.get('scanStatus') !== 'Finished' || query.get('last') !== '1') return { status: 400, json: {} };
  const project = projects.find(({ id }) => id === Number(query.get('projectId')));
  if (project?.report === undefined) return { json: [] };
  const { id, name } = project;
  return {
    json: [{ id: scanOf(project), project: { id, name }, status: { id: 7, name: 'Finished' }, isPublic: true }],
  };
}

function order({ method, body }: TestRequest): TestAnswer {
  const { reportType, scanId }: { reportType?: string; scanId?: number } = JSON.parse(body);
  if (method !== 'POST' || reportType !== 'XML' || scanId === undefined) return { status: 400, json: {} };
  const reportId = scanId + 500_000;
  const uri = `/reports/sastScan/${reportId}`;
  return {
    status: 202,
    json: { reportId, links: { report: { rel: 'content', uri }, status: { rel: 'status', uri: `${uri}/status` } } },
  };
}

function reportAnswer(known: FakeCheckmarx, path: string, looks: Map<string, number>): TestAnswer {
  const [, number, status] = /^\/reports\/sastScan\/(\d+)(\/status)?$/.exec(path) ?? [];
  const project = known.projects.find((candidate) => scanOf(candidate) + 500_000 === Number(number));
  if (number === undefined || project?.report === undefined)
    return { status: 404, json: { messageCode: 1, messageDetails: 'Not found' } };
  if (status === undefined) return { headers: { 'content-type': 'application/xml' }, body: project.report };
  const count = looks.get(number) ?? 0;
  looks.set(number, count + 1);
  const isReady = count >= known.slowness;
  return {
    json: {
      link: { rel: 'content', uri: `/reports/sastScan/${number}` },
      contentType: 'application/xml',
      status: isReady ? { id: 2, value: 'Created' } : { id: 1, value: 'InProcess' },
    },
  };
}

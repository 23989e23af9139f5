import { setTimeout } from 'node:timers/promises';
import {
  ConnectorError,
  type Ctx,
  type HttpRequest,
  isConnectorError,
  type Json,
  readAnswer,
  Type,
} from '@breakwater/sdk';
import type { CheckmarxForm } from '../../catalogue/services.ts';
import { parseBody } from '../lib/values/read.ts';

/** What is used of a Checkmarx server's answers. Source: CxSAST REST API, versions 8.9 to 9.x. */
const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) });

const TokenRefusal = Type.Object({ error: Type.String() });

export const Projects = Type.Array(Type.Object({ id: Type.Integer(), name: Type.String({ minLength: 1 }) }));

export const Scans = Type.Array(Type.Object({ id: Type.Integer() }));

const OrderedReport = Type.Object({ reportId: Type.Integer() });

const ReportStatus = Type.Object({ status: Type.Object({ value: Type.String() }) });

/** A Checkmarx server, asked as the user who was entered. */
export interface Session {
  /** JSON, or null where the server answers 404. */
  ask(request: Pick<HttpRequest, 'method' | 'path' | 'query' | 'body'>): Promise<Json>;
  /** The body as it arrives. */
  stream(path: string): AsyncIterable<Uint8Array>;
}

/** Source: CxSAST REST API, "Authentication": resource owner password grant. */
export async function openSession(ctx: Ctx<CheckmarxForm>): Promise<Session> {
  const { http, config } = ctx;
  const answer = await http.request({
    method: 'POST',
    path: '/cxrestapi/auth/identity/connect/token',
    form: {
      grant_type: 'password',
      scope: 'sast_rest_api',
      client_id: config.client_id,
      client_secret: await ctx.reveal('client_secret'),
      username: config.username,
      password: await ctx.reveal('password'),
    },
    accept: [400, 401, 404],
  });
  if (answer.status === 404) throw notHere();
  if (answer.status !== 200) throw tokenError(parseBody(answer));
  const authorization = `Bearer ${readAnswer(Token, parseBody(answer)).access_token}`;
  return {
    async ask(request) {
      const headers = { authorization, accept: 'application/json;v=1.0' };
      const found = await http.request({ ...request, headers, accept: [404] });
      return found.status === 404 ? null : parseBody(found);
    },
    stream: (path) => http.stream({ path, headers: { authorization, accept: 'application/xml' } }),
  };
}

function notHere(): ConnectorError {
  return new ConnectorError('config', 'There is no Checkmarx SAST server at this address.', {
    help: 'Enter the address of the server without a path; Checkmarx One has another interface.',
  });
}

function tokenError(body: Json): ConnectorError {
  if (errorOf(body) === 'invalid_client') {
    return new ConnectorError('auth', 'The Checkmarx server does not know the client ID, or its secret is wrong.', {
      help: 'Use the client "resource_owner_client" with the secret from the vendor\'s documentation, or your own client.',
    });
  }
  return new ConnectorError('auth', 'The Checkmarx server refused user name and password.', {
    help: 'Check both; a domain user is written DOMAIN\\name, and the account must not be locked.',
  });
}

function errorOf(body: Json): string {
  try {
    return readAnswer(TokenRefusal, body).error;
  } catch (error) {
    if (isConnectorError(error)) return '';
    throw error;
  }
}

/** Between two looks at a report that is being written. */
const LOOK_AGAIN_MS = 1_000;
/** The host ends a sync that is silent for 60 s; a server that writes longer is asked again later. */
const PATIENCE_MS = 40_000;
const REPORTS = '/cxrestapi/reports/sastScan';

/**
 * The XML report of a scan, the same that people download and upload.
 * The server writes it on order; the order is remembered, so that a sync that was interrupted does not order it again.
 * Source: CxSAST REST API, "Reports".
 */
export async function* reportOf(session: Session, ctx: Ctx<CheckmarxForm>, scan: number): AsyncIterable<Uint8Array> {
  const key = `report:${scan}`;
  const ordered = await ctx.store.get(key);
  let report = typeof ordered === 'number' ? ordered : await order(session, scan);
  await ctx.store.set(key, report);
  let state = await waitFor(session, ctx, report);
  if (state === 'gone') {
    report = await order(session, scan);
    await ctx.store.set(key, report);
    state = await waitFor(session, ctx, report);
  }
  await ctx.store.delete(key);
  if (state !== 'created') {
    throw new ConnectorError('upstream', `The Checkmarx server could not write the report of scan ${scan}.`, {
      help: 'Try to make an XML report of the scan in Checkmarx; its log says why it fails.',
    });
  }
  yield* session.stream(`${REPORTS}/${report}`);
}

async function order(session: Session, scan: number): Promise<number> {
  const answer = await session.ask({ method: 'POST', path: REPORTS, body: { reportType: 'XML', scanId: scan } });
  return readAnswer(OrderedReport, answer).reportId;
}

async function waitFor(
  session: Session,
  ctx: Ctx<CheckmarxForm>,
  report: number,
): Promise<'created' | 'failed' | 'gone'> {
  for (let waited = 0; waited < PATIENCE_MS; waited += LOOK_AGAIN_MS) {
    const answer = await session.ask({ path: `${REPORTS}/${report}/status` });
    // Servers throw reports away after a while.
    if (answer === null) return 'gone';
    const { value } = readAnswer(ReportStatus, answer).status;
    if (value === 'Created') return 'created';
    if (value === 'Failed' || value === 'Deleted') return 'failed';
    await setTimeout(LOOK_AGAIN_MS, undefined, { signal: ctx.signal });
  }
  throw new ConnectorError('rate_limited', 'The Checkmarx server is still writing a report.', {
    retryAfterMs: 60_000,
    help: 'Nothing needs to be done: the report is fetched when it is ready.',
  });
}

import {
  ConnectorError,
  type Ctx,
  type HttpAnswer,
  type HttpRequest,
  type Json,
  readAnswer,
  type Static,
  Type,
} from '@breakwater/sdk';
import type { FortifyForm } from '../../catalogue/services.ts';
import { parseBody } from '../lib/values/read.ts';

/** What is used of Fortify on Demand's answers. Source: Fortify on Demand API v3 (swagger at api.ams.fortify.com). */
const Token = Type.Object({ access_token: Type.String({ minLength: 1 }) });

export const Release = Type.Object({
  releaseId: Type.Integer(),
  releaseName: Type.String(),
  applicationName: Type.String(),
});

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));

export const Vulnerability = Type.Object({
  id: Type.Integer(),
  category: Type.String({ minLength: 1 }),
  severityString: Type.String(),
  instanceId: Maybe,
  kingdom: Maybe,
  primaryLocationFull: Maybe,
  primaryLocation: Maybe,
  lineNumber: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
  scantype: Maybe,
  cwe: Maybe,
  auditorStatus: Maybe,
  introducedDate: Maybe,
  isSuppressed: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
});
export type Vulnerability = Static<typeof Vulnerability>;

export const VulnerabilityPage = Type.Object({
  items: Type.Array(Vulnerability),
  totalCount: Type.Integer({ minimum: 0 }),
});

/** The fields of a vulnerability that are asked for. */
export const FIELDS = Object.keys(Vulnerability.properties).join(',');

/** Asks Fortify on Demand for something, as the API key. */
export type Ask = (request: Pick<HttpRequest, 'path' | 'query'>) => Promise<Json>;

/** Source: Fortify on Demand API, "Authentication": client credentials, scope `api-tenant`. */
export async function openSession(ctx: Ctx<FortifyForm>): Promise<Ask> {
  const clientSecret = await ctx.reveal('client_secret');
  const answer = await ctx.http.request({
    method: 'POST',
    path: '/oauth/token',
    form: {
      scope: 'api-tenant',
      grant_type: 'client_credentials',
      client_id: ctx.config.client_id,
      client_secret: clientSecret,
    },
    accept: [400, 401, 429],
  });
  throwIfLimited(answer);
  if (answer.status !== 200) {
    throw new ConnectorError('auth', 'Fortify on Demand refused the API key.', {
      help: 'Check key and secret: Administration, Settings, API; the key must not be expired and belongs to this data center.',
    });
  }
  const token = readAnswer(Token, parseBody(answer)).access_token;
  return async (request) =>
    read(await ctx.http.request({ ...request, headers: bearer(token), accept: [403, 404, 429] }));
}

function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, accept: 'application/json' };
}

function read(answer: HttpAnswer): Json {
  throwIfLimited(answer);
  if (answer.status === 404) {
    throw new ConnectorError('config', 'Fortify on Demand has no such release, or the API key may not see it.', {
      help: 'Copy the release ID from the address of the release, and give the API key access to its application.',
    });
  }
  if (answer.status === 403) {
    throw new ConnectorError('scope', 'The API key may not read the release.', {
      help: 'Give the key the role "Read only" or higher and access to the application: Administration, Settings, API.',
    });
  }
  return parseBody(answer);
}

/** Fortify says after how many seconds its limit is reset, in a header of its own. */
function throwIfLimited({ status, headers }: HttpAnswer): void {
  if (status !== 429) return;
  const seconds = Number(headers['retry-after'] ?? headers['x-rate-limit-reset']);
  throw new ConnectorError('rate_limited', 'Fortify on Demand is asked too often with this API key.', {
    ...(seconds > 0 ? { retryAfterMs: seconds * 1000 } : {}),
    help: 'Nothing needs to be done: it goes on by itself when Fortify allows it.',
  });
}

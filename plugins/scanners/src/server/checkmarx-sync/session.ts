import { ConnectorError, type Ctx, type HttpRequest, isConnectorError, type Json, readAnswer } from '@breakwater/sdk';
import type { CheckmarxForm } from '../../cards/services.ts';
import { parseBody } from '../lib/answer-body.ts';
import { Token, TokenRefusal } from './answers.ts';

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

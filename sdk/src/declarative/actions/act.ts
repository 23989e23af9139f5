import type { Http, HttpAnswer, Json } from '../../context.ts';
import { ConnectorError, type ConnectorErrorCode } from '../../errors.ts';
import type { Mapper } from '../document.ts';
import { readUnlessRefused } from '../refusals.ts';
import { fillRequest, type TemplateScope } from '../templates.ts';
import type { Answered } from './actions.ts';

/** What an action works with. */
export interface Means {
  readonly http: Http;
  /** The form. */
  readonly config: TemplateScope;
  readonly mapper: Mapper;
}

interface Asked extends Answered {
  /** `actions.ticket.create`: where in the document it stands. */
  readonly part: string;
  /** What it may hold beside the form, escaped. */
  readonly scope: TemplateScope;
  /** Default: POST. */
  readonly method?: 'GET';
}

export interface Answer {
  readonly status: number;
  /** JSON, else text; null for an empty body. */
  readonly body: Json;
}

/** First status that says that something is not there or was not taken. */
export const FIRST_FAILURE = 400;

/** What an accepted status of failure means where the document says nothing of it. */
const CODES: Readonly<Record<number, ConnectorErrorCode>> = { 401: 'auth', 403: 'scope' };

/** Sends one request of an action, and throws where the document says that the answer is a refusal. @throws ConnectorError */
export async function act({ http, config, mapper }: Means, asked: Asked): Promise<Answer> {
  const { part, request, refuse = [], taken, scope, method = 'POST' } = asked;
  const filled = fillRequest(request, { ...config, ...scope }, { leavesOutEmpty: true });
  const answer = await http.request({ method, ...filled });
  const { status } = answer;
  const body = bodyOf(answer);
  const judged = { part, input: body, bindings: { config: { ...config }, status }, mapper };
  const isTaken = taken === undefined || status >= FIRST_FAILURE;
  const values = await readUnlessRefused(refuse, isTaken ? {} : { taken }, judged);
  if (!isTaken && values['taken'] !== true) {
    throw new ConnectorError('upstream', 'The service answered in an unexpected way. It does not say that it did it.');
  }
  return { status, body };
}

/** As `act`, for what has to be taken. */
export async function actOnce(means: Means, asked: Asked): Promise<Json> {
  const { status, body } = await act(means, asked);
  if (status < FIRST_FAILURE) return body;
  const message = `The service did not take what it was sent (status ${status}).`;
  throw new ConnectorError(CODES[status] ?? 'config', message);
}

function bodyOf({ body }: HttpAnswer): Json {
  const text = new TextDecoder().decode(body);
  if (text.trim() === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

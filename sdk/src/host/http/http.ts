import type { Http, HttpAnswer, HttpRequest } from '../../context.ts';
import type { Incoming } from '../egress/egress-gate.ts';
import { parseAnswer } from './answers.ts';
import { type ExchangeParts, exchange, stopped } from './exchange.ts';
import { networkError } from './failures.ts';
import { pagesOf } from './pages.ts';
import { type PlannedRequest, planRequest } from './plan-request.ts';
import { readBody, wholeBody } from './read-body.ts';

/** HTTP egress of one step. */
export function createHttp(parts: ExchangeParts): Http {
  const { connection, limits } = parts;
  const { title } = connection.connector;
  const whole = (planned: PlannedRequest): Promise<HttpAnswer> =>
    exchange(parts, planned, async (answer) => ({
      status: answer.status,
      headers: answer.headers,
      body: await wholeBody(answer, limits.answerBytes),
    }));
  const planForJson = (request: HttpRequest): PlannedRequest =>
    planRequest(connection, { ...request, headers: { accept: 'application/json', ...request.headers } });
  return {
    json: async (request) => parseAnswer(title, await whole(planForJson(request))),
    request: async (request) => whole(planRequest(connection, request)),
    stream: (request) => streamOf(parts, request),
    pages: async function* pages(request, paging) {
      yield* pagesOf({ title, first: planForJson(request), paging, ask: whole });
    },
  };
}

/** Nothing is sent before the first piece is asked for. */
async function* streamOf(parts: ExchangeParts, request: HttpRequest): AsyncGenerator<Uint8Array> {
  const { connection, limits, signal } = parts;
  const planned = planRequest(connection, request);
  const answer: Incoming = await exchange(parts, planned, async (incoming) => incoming);
  try {
    yield* readBody(answer, limits.streamBytes);
  } catch (error) {
    const { title } = connection.connector;
    if (signal.aborted) throw stopped(title, signal);
    throw networkError({ title, host: planned.url.hostname, hasAnswered: true, error });
  }
}

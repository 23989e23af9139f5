import { ConnectorError, type Http, type HttpAnswer, type Json } from '@breakwater/sdk';

/** Sent with every request. Source: GitHub REST API, "API versions". */
export const HEADERS = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' } as const;

/** 100 is GitHub's largest page (specification §9). */
export const PAGE = { per_page: 100 } as const;

/** Asks something that GitHub may refuse in a way of its own, which the caller then explains. */
export async function ask(
  http: Http,
  path: string,
  now: Date,
): Promise<{ status: number; body: Json; scopes: string[] }> {
  const answer = await http.request({ path, headers: HEADERS, query: PAGE, accept: [403, 404] });
  if (answer.status === 403) throwIfLimited(answer, now);
  const scopes = (answer.headers['x-oauth-scopes'] ?? '').split(',').map((scope) => scope.trim());
  return { status: answer.status, body: parse(answer), scopes: scopes.filter((scope) => scope !== '') };
}

/**
 * GitHub says "too often" with 403 as well as 429: by `Retry-After`, or by a used-up quota with the second at which it is full again.
 * Source: GitHub REST API, "Rate limits", "Exceeding the rate limit".
 */
function throwIfLimited({ headers }: HttpAnswer, now: Date): void {
  const seconds = Number(headers['retry-after']);
  const isUsedUp = headers['x-ratelimit-remaining'] === '0';
  if (!(seconds > 0) && !isUsedUp) return;
  const untilFull = Number(headers['x-ratelimit-reset']) * 1000 - now.getTime();
  const retryAfterMs = seconds > 0 ? seconds * 1000 : Math.max(untilFull, 60_000);
  throw new ConnectorError('rate_limited', 'GitHub is asked too often with this token.', {
    ...(Number.isFinite(retryAfterMs) ? { retryAfterMs } : {}),
    help: 'Nothing needs to be done: it goes on by itself when GitHub allows it.',
  });
}

function parse({ body }: HttpAnswer): Json {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}

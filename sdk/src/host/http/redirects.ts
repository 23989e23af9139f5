import { ConnectorError } from '../../errors.ts';
import type { EgressGate, Incoming, Outgoing } from '../egress/egress-gate.ts';
import { LIMITS } from '../limits.ts';
import { discard } from './read-body.ts';

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
/** What may be told to another host than the one that was asked. */
const KEPT_ELSEWHERE = new Set(['accept', 'accept-encoding', 'user-agent']);

/**
 * Sends a request and follows where the service sends it on, by hand: each hop goes through the gate. On the way to another origin
 * signature, headers of the connector's code and content stay behind, and they do not come back.
 * @throws ConnectorError upstream, where a hop may not be made; else what the gate throws
 */
export async function sendAndFollow(gate: EgressGate, first: Outgoing): Promise<Incoming> {
  let request = first;
  for (let hops = 0; hops <= LIMITS.redirects; hops += 1) {
    const answer = await gate.send(request);
    const location = answer.headers['location'];
    if (!REDIRECTS.has(answer.status) || location === undefined) return answer;
    discard(answer.body);
    request = redirected(request, answer.status, location);
  }
  throw new ConnectorError('upstream', `${first.rules.title} sent the request on more than ${LIMITS.redirects} times.`);
}

function redirected(request: Outgoing, status: number, location: string): Outgoing {
  const { title } = request.rules;
  const url = URL.parse(location, request.url);
  if (url === null) throw new ConnectorError('upstream', `${title} sent the request on to what is no address.`);
  const { method, body, headers } = nextContent(request, status);
  const isSame = url.origin === request.url.origin;
  if (!isSame && body !== undefined) {
    throw new ConnectorError(
      'upstream',
      `${title} sent the request on to "${url.host}", which must not get its content.`,
    );
  }
  const kept = isSame ? Object.entries(headers) : Object.entries(headers).filter(([name]) => KEPT_ELSEWHERE.has(name));
  return { ...request, url, method, body, headers: Object.fromEntries(kept), isRedirect: true };
}

/** RFC 9110 §15.4: 303 always, 301 and 302 by custom make a GET of it. */
function nextContent(request: Outgoing, status: number): Pick<Outgoing, 'method' | 'body' | 'headers'> {
  const { method, body, headers } = request;
  const becomesGet = status === 303 ? method !== 'HEAD' : (status === 301 || status === 302) && method === 'POST';
  if (!becomesGet) return { method, body, headers };
  const rest = Object.entries(headers).filter(([name]) => !name.startsWith('content-'));
  return { method: 'GET', body: undefined, headers: Object.fromEntries(rest) };
}

import { readEventText } from './event-text.ts';
import type { TestServer } from './server.ts';

interface Heard {
  event: string;
  data: Record<string, unknown>;
}

/** Live events that this person hears while the work is done, up to a change of the client that everyone hears of. */
export const heardBy = async (
  server: TestServer,
  role: 'admin' | 'developer' | 'cyberoper',
  work: () => Promise<unknown>,
): Promise<Heard[]> => {
  const leaving = new AbortController();
  const response = await fetch(`${server.baseUrl}/api/v1/events`, {
    headers: { authorization: `Bearer ${server.users[role].token}` },
    signal: leaving.signal,
  });
  const events = readEventText(response);
  await work();
  await server.call('PUT', '/client', { as: 'admin', body: { address: `${Math.random()}` } });
  const text = await events.until('event: client.changed');
  leaving.abort();
  return [...text.matchAll(/event: (\S+)\ndata: (.*)\n/g)]
    .map(([, event = '', data = '']) => ({ event, data: JSON.parse(data) }))
    .filter(({ event }) => event !== 'client.changed');
};

import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addRepository, setUp } from './api.ts';
import type { RunningServer } from './server.ts';

/** Longest that `/healthz` may take while somebody attacks. */
export const MAX_HEALTH_MS = 1000;

export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  /** Without the admin's token. */
  isAnonymous?: boolean;
}

/** What an attack may do. */
export interface Target {
  url: string;
  repositoryId: string;
  /** Sends one request as the admin. @returns status and text; 0 where the server closed the connection. */
  send(path: string, sent?: Sent): Promise<{ status: number; text: string; cookies: string[] }>;
  /** Sends bytes as they are. @returns what came back until the connection was closed. */
  sendBytes(text: string, waitMs?: number): Promise<string>;
  /** Uploads a file and waits for its import. @returns the status of the answer */
  upload(bytes: Uint8Array, options?: { tool?: string; fileName?: string }): Promise<number>;
  /** Opens a connection that is left hanging. */
  hang(text: string): Socket;
}

/** `refused`: nothing but 4xx, or a closed connection. `answered`: anything but a fault of ours. */
export interface Attack {
  name: string;
  expect: 'refused' | 'answered';
  /** Part of `npm test`. */
  isSmall?: true;
  /** @returns the statuses that came back; 0 where the server closed the connection. @throws with what went wrong besides. */
  run(target: Target): Promise<readonly number[]>;
}

export interface AttackResult {
  name: string;
  /** `422×3 401×2`. */
  answers: string;
  ms: number;
  slowestHealthMs: number;
  /** Nothing where all is well. */
  fault: string | undefined;
}

const formOf = (bytes: Uint8Array, tool: string, fileName: string) => {
  const boundary = `part-${randomUUID()}`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="tool"\r\n\r\n${tool}\r\n--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
  return { body, headers: { 'content-type': `multipart/form-data; boundary=${boundary}` } };
};

const openTarget = (url: string, token: string, repositoryId: string): Target => {
  const { hostname, port } = new URL(url);
  const send: Target['send'] = (path, { method = 'GET', headers = {}, body, isAnonymous } = {}) =>
    new Promise((resolve) => {
      const auth: Record<string, string> = isAnonymous === true ? {} : { authorization: `Bearer ${token}` };
      const request = httpRequest(`${url}${path}`, { method, headers: { ...auth, ...headers } }, (response) => {
        let text = '';
        const done = () =>
          resolve({ status: response.statusCode ?? 0, text, cookies: response.headers['set-cookie'] ?? [] });
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', done).on('error', done);
      });
      request.on('error', () => resolve({ status: 0, text: '', cookies: [] }));
      request.end(body);
    });
  const hang: Target['hang'] = (text) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    return socket.on('error', () => undefined);
  };
  return {
    url,
    repositoryId,
    send,
    hang,
    sendBytes: async (text, waitMs = 3000) => {
      const socket = hang(text);
      let answer = '';
      socket.setEncoding('latin1').on('data', (piece: string) => {
        answer += piece;
      });
      await Promise.race([new Promise((resolve) => socket.once('close', resolve)), sleep(waitMs)]);
      socket.destroy();
      return answer;
    },
    upload: async (bytes, { tool = 'auto', fileName = 'report.json' } = {}) => {
      const form = formOf(bytes, tool, fileName);
      return (await send(`/api/v1/upload_scan/${repositoryId}?wait=60`, { method: 'POST', ...form })).status;
    },
  };
};

/** Asks for /healthz every 100 ms. */
const watchHealth = (url: string): { slowest: () => number; stop: () => Promise<void> } => {
  let isOn = true;
  let slowestMs = 0;
  let askedAt: number | undefined;
  const watching = (async () => {
    while (isOn) {
      askedAt = performance.now();
      const isOk = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(60_000) }).then(
        (response) => response.text().then(() => response.ok),
        () => false,
      );
      slowestMs = Math.max(slowestMs, isOk ? performance.now() - askedAt : Number.POSITIVE_INFINITY);
      askedAt = undefined;
      await sleep(100);
    }
  })();
  return {
    slowest: () => {
      // one that is still waited for counts as well
      const found = Math.max(slowestMs, askedAt === undefined ? 0 : performance.now() - askedAt);
      slowestMs = 0;
      return found;
    },
    stop: async () => {
      isOn = false;
      await watching;
    },
  };
};

const countsOf = (statuses: readonly number[]): string => {
  const counts = new Map<number, number>();
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts].map(([status, count]) => `${status === 0 ? 'closed' : status}×${count}`).join(' ');
};

const faultOf = (attack: Attack, statuses: readonly number[], healthMs: number): string | undefined => {
  if (statuses.length === 0) return 'nothing came back';
  if (statuses.some((status) => status >= 500)) return 'a fault of ours';
  const isRefused = statuses.every((status) => status === 0 || (status >= 400 && status < 500));
  if (attack.expect === 'refused' && !isRefused) return 'was accepted';
  return healthMs > MAX_HEALTH_MS ? `/healthz took ${Math.round(healthMs)} ms` : undefined;
};

/** Sends one attack after the other to a fresh server, while its health is watched. */
export const runAttacks = async (
  server: Pick<RunningServer, 'url'>,
  attacks: readonly Attack[],
  report: (result: AttackResult) => void = () => undefined,
): Promise<AttackResult[]> => {
  const admin = await setUp(server);
  const repositoryId = await addRepository(admin, 'attacked');
  const target = openTarget(server.url, admin.token, repositoryId);
  const health = watchHealth(server.url);
  const results: AttackResult[] = [];
  for (const attack of attacks) {
    health.slowest();
    const start = performance.now();
    let fault: string | undefined;
    let statuses: readonly number[] = [];
    try {
      statuses = await attack.run(target);
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error);
    }
    const ms = Math.round(performance.now() - start);
    await sleep(200);
    const slowestHealthMs = Math.round(health.slowest());
    fault ??= faultOf(attack, statuses, slowestHealthMs);
    const result = { name: attack.name, answers: countsOf(statuses), ms, slowestHealthMs, fault };
    results.push(result);
    report(result);
  }
  await health.stop();
  return results;
};

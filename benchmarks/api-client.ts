import { request } from 'node:http';
import { ADMIN } from './measured-server.ts';

export interface ImportCounts {
  total: number;
  new: number;
  unchanged: number;
  closed: number;
}

/** The calls of the API that benchmarks make. */
export interface ApiClient {
  addRepository(nickname: string): Promise<string>;
  /** Uploads a report and waits for its import. */
  upload(repositoryId: string, tool: string, report: Blob): Promise<{ counts: ImportCounts; ms: number }>;
  /** Uploads a report and does not wait for its import. @returns the id of its scan */
  send(repositoryId: string, tool: string, report: Blob): Promise<string>;
  get(path: string): Promise<unknown>;
  put(path: string, body: unknown): Promise<unknown>;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** Walks into an answer by names; anything else than the expected shape is an error of the benchmark. */
const pick = (value: unknown, ...names: (string | number)[]): unknown => {
  let current = value;
  for (const name of names) {
    if (!isRecord(current)) throw new Error(`The answer has no ${names.join('.')}: ${JSON.stringify(value)}`);
    current = current[name];
  }
  return current;
};

const numberAt = (value: unknown, name: string): number => {
  const found = pick(value, name);
  if (typeof found !== 'number') throw new Error(`${name} is no number: ${JSON.stringify(value)}`);
  return found;
};

const BOUNDARY = 'breakwater-benchmark-part';

/** `multipart/form-data` in one piece: fetch with a Blob takes longer to send 70 MB than the server to receive them. */
const formOf = async (tool: string, report: Blob): Promise<Buffer> =>
  Buffer.concat([
    Buffer.from(
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="tool"\r\n\r\n${tool}\r\n--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="report.json"\r\ncontent-type: application/json\r\n\r\n`,
    ),
    Buffer.from(await report.arrayBuffer()),
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);

/** Sends a form and reads the JSON that answers it; anything but success is an error. */
const sendForm = (url: string, form: Buffer, authorization: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const headers = { authorization, 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
    const sending = request(
      url,
      { method: 'POST', headers: { ...headers, 'content-length': form.length } },
      (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => {
          const status = answer.statusCode ?? 0;
          if (status >= 200 && status < 300) resolve(JSON.parse(text));
          else reject(new Error(`POST ${url}: ${status} ${text}`));
        });
      },
    );
    sending.on('error', reject);
    sending.end(form);
  });

/** Signs in as the benchmark's admin. */
export const signIn = async (url: string): Promise<ApiClient> => {
  const call = async (
    method: string,
    path: string,
    body?: string,
    headers: Record<string, string> = {},
  ): Promise<unknown> => {
    const response = await fetch(`${url}/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${JSON.stringify(answer)}`);
    return answer;
  };
  const json = { 'content-type': 'application/json' };
  const credentials = JSON.stringify({ email: ADMIN.email, password: ADMIN.password });
  const session = await call('POST', '/login', credentials, {
    ...json,
    accept: 'application/vnd.breakwater.token+json',
  });
  const authorization = { authorization: `Bearer ${String(pick(session, 'data', 'access_token'))}` };
  const uploadUrl = (repositoryId: string): string => `${url}/api/v1/upload_scan/${repositoryId}`;
  return {
    get: (path) => call('GET', path, undefined, authorization),
    put: (path, body) => call('PUT', path, JSON.stringify(body), { ...json, ...authorization }),
    addRepository: async (nickname) => {
      const body = JSON.stringify({
        source_control: 'git',
        data: [{ nickname, url: `https://git.example/${nickname}` }],
      });
      return String(
        pick(await call('POST', '/create_repository_with_list', body, { ...json, ...authorization }), 'data', 0, '_id'),
      );
    },
    send: async (repositoryId, tool, report) => {
      const answer = await sendForm(uploadUrl(repositoryId), await formOf(tool, report), authorization.authorization);
      return String(pick(answer, 'data', 'scan_id'));
    },
    upload: async (repositoryId, tool, report) => {
      const form = await formOf(tool, report);
      const start = performance.now();
      const answer = await sendForm(`${uploadUrl(repositoryId)}?wait=300`, form, authorization.authorization);
      const counts = pick(answer, 'data', 'counts');
      const names = ['total', 'new', 'unchanged', 'closed'] as const;
      const [total = 0, added = 0, unchanged = 0, closed = 0] = names.map((name) => numberAt(counts, name));
      return { counts: { total, new: added, unchanged, closed }, ms: performance.now() - start };
    },
  };
};

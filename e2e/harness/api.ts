import type { RunningServer } from './server.ts';

/** The admin that the journeys make at `/setup`. */
export const ADMIN = {
  organization_name: 'Harbour Works',
  email: 'ada@harbour.example',
  username: 'ada',
  password: 'Tidal-Wave-42!',
};

const TOKEN_MEDIA_TYPE = 'application/vnd.breakwater.token+json';

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: journeys assert on what they read, field by field
  body: any;
}

/** A program that uses the API with a bearer token. */
export interface ApiClient {
  /** A path below `/api/v1`, or one that begins with `/api/` or `/scim/` as it stands. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  get(path: string): Promise<Answer>;
  /** What it sends as bearer; empty for an anonymous caller. */
  token: string;
  /** Uploads a report as multipart and waits for the import. */
  upload(repositoryId: string, fileName: string, bytes: Uint8Array<ArrayBuffer>, wait?: number): Promise<Answer>;
}

const answerOf = async (response: Response): Promise<Answer> => {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
};

/** A client with a token, or without one: an anonymous caller. */
export const apiClient = (server: Pick<RunningServer, 'url'>, token?: string): ApiClient => {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> =>
    answerOf(
      await fetch(`${server.url}${/^\/(?:api|scim)\//.test(path) ? path : `/api/v1${path}`}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    );
  return {
    call,
    token: token ?? '',
    get: (path) => call('GET', path),
    upload: async (repositoryId, fileName, bytes, wait = 120) => {
      const form = new FormData();
      form.append('file', new Blob([bytes]), fileName);
      form.append('tool', 'auto');
      const query = wait > 0 ? `?wait=${wait}` : '';
      return answerOf(
        await fetch(`${server.url}/api/v1/upload_scan/${repositoryId}${query}`, {
          method: 'POST',
          headers,
          body: form,
        }),
      );
    },
  };
};

const signInWith = async (server: Pick<RunningServer, 'url'>, path: string, body: unknown): Promise<ApiClient> => {
  const response = await fetch(`${server.url}/api/v1${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: TOKEN_MEDIA_TYPE },
    body: JSON.stringify(body),
  });
  const answer = await answerOf(response);
  if (typeof answer.body?.data?.access_token !== 'string')
    throw new Error(`${path}: ${response.status} ${JSON.stringify(answer.body)}`);
  return apiClient(server, answer.body.data.access_token);
};

/** Makes the first organisation through the API. */
export const setUp = (server: Pick<RunningServer, 'url'>): Promise<ApiClient> =>
  signInWith(server, '/setup', { ...ADMIN, confirm_password: ADMIN.password });

export const signIn = (server: Pick<RunningServer, 'url'>, username: string, password: string): Promise<ApiClient> =>
  signInWith(server, '/login', { username, password });

/** Adds one application to put reports into. @returns its id. */
export const addRepository = async (api: ApiClient, nickname: string): Promise<string> => {
  const { body } = await api.call('POST', '/create_repository_with_list', {
    source_control: 'git',
    data: [{ nickname, url: '' }],
  });
  return body.data[0]._id;
};

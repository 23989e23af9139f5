import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';

/** One entry of a tree, as git stores it: also what no working folder could hold. */
export interface GitEntry {
  /** `100644` a file, `120000` a link, `160000` a submodule. */
  mode: '100644' | '100755' | '120000' | '160000';
  path: string;
  /** Of a submodule its commit. */
  content: string | Buffer;
}

export const file = (name: string, content: string | Buffer): GitEntry => ({ mode: '100644', path: name, content });

const ENV = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: os.tmpdir(),
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Test',
  GIT_AUTHOR_EMAIL: 'test@example.test',
  GIT_COMMITTER_NAME: 'Test',
  GIT_COMMITTER_EMAIL: 'test@example.test',
};

const git = (folder: string, args: readonly string[], input: string | Buffer = ''): string =>
  execFileSync('git', ['-C', folder, ...args], { env: ENV, input, encoding: 'utf8' }).trim();

/** Adds a commit with exactly these entries to a branch. @returns its hash */
export const commitTo = (repository: string, entries: readonly GitEntry[], branch = 'main'): string => {
  const index = entries.map(({ mode, path: name, content }) => {
    const hash = mode === '160000' ? String(content) : git(repository, ['hash-object', '-w', '--stdin'], content);
    return `${mode} ${hash}\t${name}`;
  });
  git(repository, ['read-tree', '--empty']);
  git(repository, ['update-index', '-z', '--index-info'], index.map((line) => `${line}\0`).join(''));
  const commit = git(repository, ['commit-tree', git(repository, ['write-tree']), '-m', 'test']);
  git(repository, ['update-ref', `refs/heads/${branch}`, commit]);
  return commit;
};

export interface GitServer {
  /** Folder of the bare repositories. */
  root: string;
  /** `http://127.0.0.1:port` */
  url: string;
  port: number;
  /** Path and authorization of every request. */
  requests: { path: string; authorization: string | undefined }[];
  /** Makes a bare repository. @returns its folder */
  create(name: string): string;
  close(): Promise<void>;
}

export interface GitServerOptions {
  /** `user:password` that it asks for. */
  login?: string;
  /** Answers a request by itself; true where it did. */
  intercept?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

/** One request to `git http-backend`, which speaks CGI (RFC 3875). */
const runBackend = (root: string, request: IncomingMessage, response: ServerResponse): void => {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const child = spawn('git', ['http-backend'], {
    env: {
      ...ENV,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method ?? 'GET',
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  let head = Buffer.alloc(0);
  child.stdout.on('data', (chunk: Buffer) => {
    if (response.headersSent) return void response.write(chunk);
    head = Buffer.concat([head, chunk]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    for (const line of head.subarray(0, end).toString('latin1').split('\r\n')) {
      const colon = line.indexOf(':');
      const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
      if (name.toLowerCase() === 'status') response.statusCode = Number.parseInt(value, 10);
      else response.setHeader(name, value);
    }
    response.flushHeaders();
    response.write(head.subarray(end + 4));
  });
  child.on('close', () => response.end());
  child.on('error', () => response.destroy());
};

/** Real repositories behind `git http-backend` on a port of this machine. */
export const startGitServer = async (options: GitServerOptions = {}): Promise<GitServer> => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'breakwater-git-server-'));
  const requests: GitServer['requests'] = [];
  const expected = options.login === undefined ? undefined : `Basic ${Buffer.from(options.login).toString('base64')}`;
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization });
    if (options.intercept?.(request, response) === true) return;
    if (expected !== undefined && request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    runBackend(root, request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    root,
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    requests,
    create: (name) => {
      const folder = path.join(root, name);
      mkdirSync(folder);
      git(folder, ['init', '--quiet', '--bare', '--initial-branch=main']);
      return folder;
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(root, { recursive: true, force: true });
    },
  };
};

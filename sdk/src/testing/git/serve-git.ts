import type { IncomingMessage, ServerResponse } from 'node:http';
import { spawnGit } from './run-git.ts';

/** Who asks by `Authorization: Basic`, as git sends what a clone address or an askpass program says. */
export interface GitUser {
  readonly username: string;
  readonly password: string;
}

/** Repositories that a fake offers by smart HTTP. */
export interface ServedGit {
  /** Folder of the repository at this path, `octo-org/repo-1` for `/octo-org/repo-1.git/info/refs`; null for none. */
  folderOf(path: string): string | null | Promise<string | null>;
  /** @param user null where nobody signed in. Default: everybody may read and nobody may push. */
  allows?(user: GitUser | null, wants: 'read' | 'push', path: string): boolean;
}

const PATHS = /^\/(.+?)\.git(\/info\/refs|\/git-upload-pack|\/git-receive-pack)$/;

/** Answers a request of git by `git http-backend`. @returns false where it is none of git's, and nothing was answered */
export function serveGit(served: ServedGit, request: IncomingMessage, response: ServerResponse): boolean {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const [, name, service] = PATHS.exec(url.pathname) ?? [];
  if (name === undefined || service === undefined) return false;
  const path = decodeURIComponent(name);
  const wants = `${service}${url.search}`.includes('git-receive-pack') ? 'push' : 'read';
  const user = userOf(request.headers.authorization);
  const mayDo = served.allows?.(user, wants, path) ?? wants === 'read';
  if (!mayDo) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="fake"' }).end('Sign in first.');
    return true;
  }
  Promise.resolve(served.folderOf(path)).then(
    (folder) => {
      if (folder === null) response.writeHead(404).end('Repository not found');
      else runBackend({ request, response, folder, service, query: url.search.slice(1), user });
    },
    () => response.writeHead(500).end(),
  );
  return true;
}

function userOf(authorization = ''): GitUser | null {
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const [username = '', ...password] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return { username, password: password.join(':') };
}

interface Backend {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly folder: string;
  readonly service: string;
  readonly query: string;
  readonly user: GitUser | null;
}

function runBackend({ request, response, folder, service, query, user }: Backend): void {
  const { headers, method = 'GET' } = request;
  const child = spawnGit(['http-backend'], {
    GIT_PROJECT_ROOT: folder,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: service,
    REQUEST_METHOD: method,
    QUERY_STRING: query,
    CONTENT_TYPE: headers['content-type'] ?? '',
    HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
    GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
    // What makes a push allowed; who may not push was refused before.
    REMOTE_USER: user?.username || 'anonymous',
    ...(headers['content-length'] === undefined ? {} : { CONTENT_LENGTH: headers['content-length'] }),
  });
  request.pipe(child.stdin);
  response.on('close', () => child.kill());
  child.on('error', () => response.destroy());
  // Nobody reads what it says beside its answer; a full pipe would stop it.
  child.stderr.resume();
  answerAsCgi(child.stdout, response);
}

/** Headers of a CGI program, an empty line, then the body. */
function answerAsCgi(output: NodeJS.ReadableStream, response: ServerResponse): void {
  let head: Buffer | null = Buffer.alloc(0);
  output.on('data', (piece: Buffer) => {
    if (head === null) {
      response.write(piece);
      return;
    }
    head = Buffer.concat([head, piece]);
    const end = head.indexOf('\r\n\r\n');
    if (end < 0) return;
    const lines = head.subarray(0, end).toString('latin1').split('\r\n');
    const fields = lines.map((line): [string, string] => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      line.slice(line.indexOf(':') + 1).trim(),
    ]);
    const status = Number.parseInt(fields.find(([name]) => name === 'status')?.[1] ?? '200', 10);
    response.writeHead(status, Object.fromEntries(fields.filter(([name]) => name !== 'status')));
    response.write(head.subarray(end + 4));
    head = null;
  });
  output.on('end', () => {
    if (head !== null) response.writeHead(502);
    response.end();
  });
}

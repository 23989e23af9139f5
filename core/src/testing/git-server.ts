import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { type ServedGit, serveGit } from '@breakwater/sdk/testing';

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

/** Real repositories behind `git http-backend` on a port of this machine. */
export const startGitServer = async (options: GitServerOptions = {}): Promise<GitServer> => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'breakwater-git-server-'));
  const requests: GitServer['requests'] = [];
  const served: ServedGit = {
    folderOf: (name) => {
      const folder = path.join(root, `${name}.git`);
      return existsSync(folder) ? folder : null;
    },
    allows: (user, wants) =>
      options.login === undefined ? wants === 'read' : `${user?.username}:${user?.password}` === options.login,
  };
  const server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', authorization: request.headers.authorization });
    if (options.intercept?.(request, response) === true) return;
    if (!serveGit(served, request, response)) response.writeHead(404).end();
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

import { createServer, type IncomingHttpHeaders } from 'node:http';

/** What the service says of one package, or of every one. */
export interface PackageReply {
  status?: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A question as it came: all that the service learns. */
export interface PackageQuestion {
  path: string;
  headers: IncomingHttpHeaders;
}

export interface PackageServer {
  address: URL;
  /** Path of the last part, decoded: `npm lodash`. */
  asked(): string[];
  questions: PackageQuestion[];
  /** `key` such as `npm lodash`; others get 404. */
  reply(key: string, reply: PackageReply): void;
  /** Instead of every answer, until it is taken back. */
  replyAll(reply: PackageReply | undefined): void;
  /** Waits this long before each answer. */
  slowDown(delayMs: number): void;
  forget(): void;
  close(): Promise<void>;
}

/** A package as deps.dev describes it. `versions`: moment of release by version. */
export const packageBody = (system: string, name: string, versions: Record<string, string | undefined>): string =>
  JSON.stringify({
    packageKey: { system: system.toUpperCase(), name },
    versions: Object.entries(versions).map(([version, publishedAt]) => ({
      versionKey: { system: system.toUpperCase(), name, version },
      ...(publishedAt === undefined ? {} : { publishedAt }),
      isDefault: false,
    })),
  });

const keyOf = (path: string): string => {
  const [, system = '', name = ''] = /^\/v3\/systems\/([^/]+)\/packages\/([^/?]+)$/.exec(path) ?? [];
  return `${system} ${decodeURIComponent(name)}`;
};

/** Stands in for deps.dev on this machine. */
export const startPackageServer = async (): Promise<PackageServer> => {
  const replies = new Map<string, PackageReply>();
  const questions: PackageQuestion[] = [];
  let all: PackageReply | undefined;
  let delayMs = 0;
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    questions.push({ path, headers: request.headers });
    const { status = 200, headers = {}, body = '' } = all ?? replies.get(keyOf(path)) ?? { status: 404, body: '{}' };
    setTimeout(() => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(body);
    }, delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = server.address();
  const port = typeof place === 'object' && place !== null ? place.port : 0;
  return {
    address: new URL(`http://127.0.0.1:${port}`),
    asked: () => questions.map(({ path }) => keyOf(path)).toSorted(),
    questions,
    reply: (key, reply) => void replies.set(key, reply),
    replyAll: (reply) => {
      all = reply;
    },
    slowDown: (next) => {
      delayMs = next;
    },
    forget: () => {
      questions.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

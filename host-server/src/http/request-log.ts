import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';

const pathOf = (url: string | undefined): string => (url ?? '').split('?', 1)[0] ?? '';

/** Addresses that monitors ask every few seconds. */
const QUIET = new Set(['/healthz', '/readyz', '/metrics']);

/** Gives each request an id, sends it back as X-Request-Id, and writes one line when it ends. Queries are left out: they hold search text and one-time tokens. */
export const createRequestLog = (log: Logger): RequestHandler => {
  const write = pinoHttp({
    logger: log,
    quietReqLogger: true,
    genReqId: (_request, response) => {
      const id = randomUUID();
      response.setHeader('X-Request-Id', id);
      return id;
    },
    customAttributeKeys: { reqId: 'request_id', responseTime: 'ms' },
    autoLogging: { ignore: (request) => QUIET.has(pathOf(request.url)) },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    customSuccessMessage: () => 'request',
    customErrorMessage: () => 'request',
    serializers: {
      req: (request: { method: string; url: string }) => ({ method: request.method, path: pathOf(request.url) }),
      res: (response: { statusCode: number }) => ({ status: response.statusCode }),
    },
  });
  return (request, response, next) => write(request, response, next);
};

import { randomUUID } from 'node:crypto';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import type { JobQueue } from '@breakwater/core/platform/server/jobs/define-job.ts';
import { type RequestHandler, Router } from 'express';
import type { Logger } from 'pino';
import { pinoHttp } from 'pino-http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { hasBearer, isLocalRequest } from './security.ts';

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

/** A registry with what Node tells about itself: event loop lag, memory, garbage collection. */
export const createMetrics = (): Registry => {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
};

/** Depth of the job queue, read when the metrics are. */
export const measureQueue = (registry: Registry, queue: Pick<JobQueue, 'depth'>): void => {
  new Gauge({
    name: 'breakwater_jobs',
    help: 'Jobs by queue and state',
    labelNames: ['queue', 'state'],
    registers: [registry],
    async collect() {
      for (const { name, waiting, active } of await queue.depth()) {
        this.set({ queue: name, state: 'waiting' }, waiting);
        this.set({ queue: name, state: 'active' }, active);
      }
    },
  });
};

/** Reads that may run on a replica, by where they ran and why. */
export const createReadCounter = (registry: Registry): Counter<'place'> =>
  new Counter({
    name: 'breakwater_replica_reads_total',
    help: 'Reads by where they ran: on the replica, or on the primary because the replica was behind, away or refused',
    labelNames: ['place'],
    registers: [registry],
  });

/** Duration of requests by route pattern, never by path: paths hold ids. */
export const measureRequests = (registry: Registry): RequestHandler => {
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the request to the end of its answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  return (request, response, next) => {
    const stop = duration.startTimer();
    response.once('finish', () => {
      const route: unknown = response.locals['route'];
      stop({ method: request.method, route: typeof route === 'string' ? route : 'page', status: response.statusCode });
    });
    next();
  };
};

export interface HealthDeps {
  /** Each names a part that must answer before requests are sent here. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  stopping: AbortSignal;
  metrics: Registry;
  /** Who holds it may read the metrics from another machine. */
  metricsToken: string | undefined;
}

const CHECK_TIMEOUT_MS = 2000;

const isWell = async (check: () => Promise<void>): Promise<boolean> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timeout')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), tooLate]);
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
};

const METRICS_REFUSED =
  // no text: read by those who collect metrics
  'Metrics are for callers on this machine, and for who sends the token of BREAKWATER_METRICS_TOKEN.';

/** `/healthz`: the process is alive. `/readyz`: it may be sent requests. `/metrics`: Prometheus text, for this machine or by token. */
export const createHealthRouter = ({ checks, stopping, metrics, metricsToken }: HealthDeps): Router => {
  const router = Router();
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => [name, (await isWell(check)) ? 'ok' : 'failed'] as const),
    );
    const isReady = !stopping.aborted && results.every(([, result]) => result === 'ok');
    response.status(isReady ? 200 : 503).json({
      status: stopping.aborted ? 'stopping' : isReady ? 'ready' : 'not ready',
      checks: Object.fromEntries(results),
    });
  });
  router.get('/metrics', async (request, response) => {
    const hasToken = metricsToken !== undefined && hasBearer(request.headers, metricsToken);
    if (!hasToken && !isLocalRequest(request)) throw new AppError('not_authenticated', METRICS_REFUSED);
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  return router;
};

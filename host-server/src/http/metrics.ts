import type { JobQueue } from '@breakwater/core/platform/server/jobs/define-job.ts';
import type { RequestHandler } from 'express';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

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

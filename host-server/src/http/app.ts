import { basePath, ROUTE_BASES } from '@breakwater/core/platform/api/contract.ts';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import express, { type Express } from 'express';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { writeError } from './errors.ts';
import { createHealthRouter, createRequestLog, measureRequests } from './monitoring.ts';
import { createApiRouter, type MountDeps } from './mount.ts';
import { createOpenApi } from './openapi.ts';
import { noStore, requireKnownHost, securityHeaders } from './security.ts';
import type { Site } from './site.ts';

export interface AppDeps extends MountDeps {
  endpoints: readonly Endpoint[];
  log: Logger;
  metrics: Registry;
  /** Parts that must answer for `/readyz`. */
  checks: Readonly<Record<string, () => Promise<void>>>;
  /** The built browser application; nothing is served beside the API without it. */
  site: Site | undefined;
  /** Proxies whose X-Forwarded-* headers are believed: addresses or ranges. */
  trustedProxies: readonly string[];
  /** Hosts under which state may be changed, besides the names of this machine. */
  allowedHosts: readonly string[];
  /** Where Google's script for signing in comes from. */
  googleIssuer: string | undefined;
  /** Where Canny's widget comes from. */
  cannyOrigin: string | undefined;
  /** Opens `/metrics` to other machines. */
  metricsToken: string | undefined;
}

const version = '1';

/** The whole HTTP surface: health, API, pages. */
export const createApp = (deps: AppDeps): Express => {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // each route reads its own query (query-parser.ts)
  app.set('query parser', false);
  app.set('case sensitive routing', true);
  app.set('trust proxy', deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies]);
  const isHttps = deps.publicUrl?.protocol === 'https:';
  app.use(createRequestLog(deps.log));
  app.use(measureRequests(deps.metrics));
  app.use(
    securityHeaders({
      scriptHashes: deps.site?.scriptHashes ?? [],
      isHttps,
      googleIssuer: deps.googleIssuer,
      cannyOrigin: deps.cannyOrigin,
    }),
  );
  app.use(requireKnownHost(deps.allowedHosts));
  app.use(createHealthRouter(deps));
  app.use(['/api', '/scim'], noStore);
  const openApi = JSON.stringify(
    createOpenApi(
      deps.endpoints.map((endpoint) => endpoint.route),
      version,
    ),
  );
  app.get('/api/v1/openapi.json', (_request, response) => {
    response.type('json').send(openApi);
  });
  for (const base of ROUTE_BASES) {
    app.use(basePath(base), createApiRouter(deps.endpoints, base, deps));
  }
  if (deps.site !== undefined) app.use(deps.site.handler);
  app.use(() => {
    throw new AppError('not_found');
  });
  app.use(writeError);
  return app;
};

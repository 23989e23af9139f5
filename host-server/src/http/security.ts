import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import type { RequestHandler } from 'express';
import helmet from 'helmet';

export interface SecurityOptions {
  /** `'sha256-…'` of each inline script of index.html. */
  scriptHashes: readonly string[];
  isHttps: boolean;
}

/**
 * Headers of every answer. Scripts run only from our own files and by hash; styles may be inline, because Blueprint and
 * ECharts set them on elements.
 */
export const securityHeaders = ({ scriptHashes, isHttps }: SecurityOptions): RequestHandler =>
  helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptHashes],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'"],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // over plain http (a local installation) the header would be ignored or lock people out
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });

/** Answers of the API are never stored. */
export const noStore: RequestHandler = (_request, response, next) => {
  response.setHeader('Cache-Control', 'no-store');
  next();
};

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

const isSameOrigin = (origin: string, host: string | undefined, publicUrl: URL | undefined): boolean => {
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return from.host === host || from.origin === publicUrl?.origin;
};

/**
 * Refuses state-changing requests that another site made a browser send. A bearer token cannot be sent by another site;
 * without either header the caller is no browser.
 * @throws cross_site_request
 */
export const refuseCrossSite = (
  request: { method: string; headers: IncomingHttpHeaders },
  publicUrl: URL | undefined,
): void => {
  const { headers } = request;
  if (SAFE_METHODS.has(request.method) || headers.authorization?.startsWith('Bearer ')) return;
  const site = headers['sec-fetch-site'];
  const isForeignSite = site !== undefined && site !== 'same-origin' && site !== 'none';
  const isForeignOrigin = headers.origin !== undefined && !isSameOrigin(headers.origin, headers.host, publicUrl);
  if (isForeignSite || isForeignOrigin) throw new AppError('cross_site_request');
};

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

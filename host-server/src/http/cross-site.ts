import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';

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

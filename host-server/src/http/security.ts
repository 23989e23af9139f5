import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import { say } from '@breakwater/core/platform/model/sentence.ts';
import type { Request, RequestHandler } from 'express';
import helmet from 'helmet';

export interface SecurityOptions {
  /** `'sha256-…'` of each inline script of index.html. */
  scriptHashes: readonly string[];
  isHttps: boolean;
  /** Where Google's script for signing in comes from; nothing where it is not configured, and then nothing is opened. */
  googleIssuer?: string | undefined;
  /** Where Canny's widget comes from; nothing where it is not configured, and then nothing is opened. */
  cannyOrigin?: string | undefined;
}

/**
 * Headers of every answer. Scripts run only from our own files and by hash; styles may be inline, because Blueprint and
 * ECharts set them on elements.
 */
export const securityHeaders = ({
  scriptHashes,
  isHttps,
  googleIssuer,
  cannyOrigin,
}: SecurityOptions): RequestHandler => {
  // what Google Identity Services needs, and no more. Source: its page "Setup", section "Content Security Policy", 2026-11
  const google = googleIssuer === undefined ? [] : [`${googleIssuer}/gsi/`];
  const canny = cannyOrigin === undefined ? [] : [cannyOrigin];
  // views of connectors, which the server itself answers; the widget is a frame of the board's own name below Canny's
  const frames = ["'self'", ...google, ...canny, ...canny.map((origin) => origin.replace('://', '://*.'))];
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: [
          "'self'",
          ...scriptHashes,
          ...google.map((folder) => `${folder}client`),
          ...canny.map((origin) => `${origin}/sdk.js`),
        ],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'", ...google.map((folder) => `${folder}style`)],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...google],
        // judges also where a frame leads itself: it cannot leave for another host
        frameSrc: frames,
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    // Google's window hands its answer back to the page that opened it
    crossOriginOpenerPolicy: { policy: googleIssuer === undefined ? 'same-origin' : 'same-origin-allow-popups' },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    // over plain http (a local installation) the header would be ignored or lock people out
    strictTransportSecurity: isHttps ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
};

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

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8);
LOOPBACK.addAddress('::1', 'ipv6');

const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && LOOPBACK.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');

/** The name in a Host header, lower case, without port and final dot. Nothing where the header is none. */
export const hostnameOf = (host: string | undefined): string | undefined => {
  if (host === undefined || /[\s/@?#\\]/.test(host)) return undefined;
  return URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '');
};

/** Whether a name can only mean the machine of who types it. */
export const isLocalName = (hostname: string | undefined): boolean =>
  hostname === 'localhost' || isLoopback(hostname?.replace(/^\[|\]$/g, ''));

const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'] as const;

/** Whether the caller sits at this very machine: by address and by the name that was asked for, with no proxy in between. */
export const isLocalRequest = (request: Request): boolean =>
  isLoopback(request.socket.remoteAddress) &&
  isLocalName(hostnameOf(request.headers.host)) &&
  FORWARDED.every((name) => request.headers[name] === undefined);

/**
 * Refuses requests with several Host headers (RFC 9112 §3.2), and state-changing ones under a name that the operator did not configure: a
 * page of another site may point its own name at this address (DNS rebinding) and would be same-origin then.
 * @throws bad_request, host_not_allowed
 */
export const requireKnownHost = (allowedHosts: readonly string[]): RequestHandler => {
  const allowed = new Set(allowedHosts);
  return (request, _response, next) => {
    const hosts = request.rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
    if (hosts.length > 1) throw new AppError('bad_request', msg('The request has more than one Host header.'));
    const hostname = hostnameOf(request.host);
    if (!SAFE_METHODS.has(request.method) && !isLocalName(hostname) && !allowed.has(hostname ?? '')) {
      throw new AppError(
        'host_not_allowed',
        say(
          'This server does not answer for the host {host}. Its operator names the hosts in BREAKWATER_PUBLIC_URL and BREAKWATER_ALLOWED_HOSTS.',
          { host: JSON.stringify(request.host ?? '') },
        ),
      );
    }
    next();
  };
};

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether the request carries this bearer token; compared in constant time. */
export const hasBearer = ({ authorization }: IncomingHttpHeaders, token: string): boolean =>
  timingSafeEqual(digestOf(authorization ?? ''), digestOf(`Bearer ${token}`));

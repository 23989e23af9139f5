import type { Reply } from '@breakwater/core/platform/server/endpoint.ts';
import type { Response } from 'express';

const SESSION_COOKIE = 'accessToken';
const DEVICE_COOKIE = 'knownDevice';
const SIGN_IN_COOKIE = 'signIn';

/**
 * Where people arrive by https a browser takes and sends the cookie for this very host alone, never one that a sub-domain or plain http has
 * set. Source: RFC 6265bis §4.1.3.
 */
const nameOf = (cookie: string, isSecure: boolean): string => (isSecure ? `__Host-${cookie}` : cookie);

const readCookie = (header: string | undefined, wanted: string): string | undefined => {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === wanted && value !== undefined && value !== '') return value;
  }
  return undefined;
};

/** Value of the session cookie in a Cookie header. */
export const readSessionCookie = (header: string | undefined, isSecure: boolean): string | undefined =>
  readCookie(header, nameOf(SESSION_COOKIE, isSecure));

/** Value of the cookie that tells a browser in which somebody signed in before. */
export const readDeviceCookie = (header: string | undefined, isSecure: boolean): string | undefined =>
  readCookie(header, nameOf(DEVICE_COOKIE, isSecure));

/** Value of the cookie that ties a sign-in to the browser that began it. */
export const readSignInCookie = (header: string | undefined, isSecure: boolean): string | undefined =>
  readCookie(header, nameOf(SIGN_IN_COOKIE, isSecure));

/** What a handler may say besides its return value. The cookie is Secure where people arrive by https. */
export const createReply = (response: Response, isSecure: boolean): Reply => {
  const attributes = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  return {
    status: (code) => {
      response.status(code);
    },
    header: (name, value) => {
      response.setHeader(name, value);
    },
    setSessionCookie: (token, { maxAgeSeconds }) => {
      response.cookie(nameOf(SESSION_COOKIE, isSecure), token, {
        ...attributes,
        ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds * 1000 }),
      });
    },
    setDeviceCookie: (token, { maxAgeSeconds = 0 }) => {
      response.cookie(nameOf(DEVICE_COOKIE, isSecure), token, { ...attributes, maxAge: maxAgeSeconds * 1000 });
    },
    setSignInCookie: (token, { maxAgeSeconds = 0 }) => {
      response.cookie(nameOf(SIGN_IN_COOKIE, isSecure), token, { ...attributes, maxAge: maxAgeSeconds * 1000 });
    },
    clearSessionCookie: () => {
      response.clearCookie(nameOf(SESSION_COOKIE, isSecure), attributes);
    },
  };
};

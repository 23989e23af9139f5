import type { Reply } from '@breakwater/core/platform/server/endpoint.ts';
import type { Response } from 'express';

export const SESSION_COOKIE = 'accessToken';

/** Value of the session cookie in a Cookie header. */
export const readSessionCookie = (header: string | undefined): string | undefined => {
  for (const pair of (header ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === SESSION_COOKIE && value !== undefined && value !== '') return value;
  }
  return undefined;
};

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
      response.cookie(SESSION_COOKIE, token, {
        ...attributes,
        ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds * 1000 }),
      });
    },
    clearSessionCookie: () => {
      response.clearCookie(SESSION_COOKIE, attributes);
    },
  };
};

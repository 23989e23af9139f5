import { ApiError } from './api-error.ts';

/**
 * Where a person goes whose connection had to be cleared because its token ended and cannot be renewed: a new one is made on its own page.
 * Undefined for any other error. Source: specification §8 "Bitbucket 401 with no refresh token".
 */
export const pathOfExpired = (error: unknown, title: string): string | undefined =>
  error instanceof ApiError && error.code === 'connection_expired'
    ? `/connector?source_control=${encodeURIComponent(title.toLowerCase())}`
    : undefined;

import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import { isDatabaseAway } from '@breakwater/core/platform/server/database-away.ts';
import type { ErrorRequestHandler, Response } from 'express';
import { isScim, SCIM_MEDIA_TYPE, scimError } from './scim.ts';

const textOf = (error: unknown, key: 'code' | 'type' | 'routine'): string => {
  const value: unknown =
    typeof error === 'object' && error !== null && key in error ? Reflect.get(error, key) : undefined;
  return typeof value === 'string' ? value : '';
};

const bodyIssue = (why: string, type: string, cause: unknown): AppError =>
  new AppError('validation_failed', undefined, { issues: [{ loc: ['body'], msg: why, type }], cause });

/** What express.json() throws, by its `type`. */
const fromBodyParser = (error: unknown): AppError | undefined => {
  const type = textOf(error, 'type');
  if (type === 'entity.parse.failed') return bodyIssue(msg('The body is not valid JSON.'), 'json', error);
  if (type === 'entity.too.large') return new AppError('payload_too_large', undefined, { cause: error });
  if (type.startsWith('encoding.') || type.startsWith('charset.') || type === 'request.size.invalid') {
    return bodyIssue(msg('The body cannot be read in the encoding it claims.'), 'encoding', error);
  }
  // what it says of a request that ended early, or of one that zlib cannot read
  const status: unknown = Object(error).status;
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return bodyIssue(msg('The body is cut off, or not in the encoding that its headers claim.'), 'encoding', error);
  }
  return undefined;
};

/** What the database or the disk says that is not an internal error. */
const fromDatabase = (error: unknown): AppError | undefined => {
  const code = textOf(error, 'code');
  if (isDatabaseAway(error))
    return new AppError('unavailable', undefined, { cause: error, isRetryable: true, retryAfterSeconds: 2 });
  // PostgreSQL's own disk, or that of the folder where an upload waits
  if (code === '53100' || code === 'ENOSPC') return new AppError('disk_full', undefined, { cause: error });
  if (code === '23505') return new AppError('conflict', undefined, { cause: error });
  // a NUL byte in text, a number beyond its column, half of a character in JSON
  const isHalf = code === '22P02' && /^json_/.test(textOf(error, 'routine'));
  if (code === '22021' || code === '22003' || code === '22P05' || isHalf) {
    return bodyIssue(msg('A value holds a character or number that cannot be stored.'), 'value', error);
  }
  return undefined;
};

/** Every failure as an AppError; what nobody foresaw becomes `internal`. */
export const toAppError = (error: unknown): AppError => {
  if (error instanceof AppError) return error;
  if (error instanceof URIError) return new AppError('not_found', undefined, { cause: error });
  return fromBodyParser(error) ?? fromDatabase(error) ?? new AppError('internal', undefined, { cause: error });
};

/** Body of an error answer. A failed exchange of tokens alone has fields of its own. Source: decisions.md "Envelopes". */
export const errorBody = (error: AppError, requestId: string) => ({
  ...(error.exchange === undefined
    ? { detail: error.issues ?? error.userMessage }
    : {
        success: false,
        error: error.exchange.error,
        error_description: error.userMessage,
        error_uri: error.exchange.errorUri,
      }),
  code: error.code,
  request_id: requestId,
});

const requestIdOf = (response: Response): string => String(response.getHeader('x-request-id') ?? '');

/** Writes every failure of the API, and nothing of what caused it: no stack, SQL or path. */
export const writeError: ErrorRequestHandler = (thrown, request, response, _next) => {
  const error = toAppError(thrown);
  const isBug = error.code === 'internal';
  if (isBug || error.code === 'unavailable')
    request.log.error({ err: thrown }, isBug ? 'an internal error' : 'unavailable');
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds));
  // the rest of a refused upload is not read
  if (!request.complete) response.setHeader('Connection', 'close');
  if (isScim(request.originalUrl)) {
    const { status, body } = scimError(error, requestIdOf(response));
    // people find the way to a token in the settings, programs by this header (RFC 9110 §11.6.1)
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    response.status(status).type(SCIM_MEDIA_TYPE).send(JSON.stringify(body));
    return;
  }
  response.status(error.status).json(errorBody(error, requestIdOf(response)));
};

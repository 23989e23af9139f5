import type { SentError } from '../messages.ts';

const MAX_TEXT = 4_000;

const textOf = (error: object, name: string): string | undefined => {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? value.slice(0, MAX_TEXT) : undefined;
};

// no text: for authors, not for people
/** An error as it is sent; whatever was thrown. Never throws, whatever its getters do. */
export function sentError(error: unknown): SentError {
  try {
    // no text: for authors, not for people
    if (!(error instanceof Error)) return { name: 'Error', message: `a ${typeof error} was thrown` };
    const retryAfterMs: unknown = Reflect.get(error, 'retryAfterMs');
    const [code, help, stack] = [textOf(error, 'code'), textOf(error, 'help'), textOf(error, 'stack')];
    return {
      name: String(textOf(error, 'name') ?? 'Error'),
      message: String(textOf(error, 'message') ?? ''),
      ...(code === undefined ? {} : { code }),
      ...(help === undefined ? {} : { help }),
      ...(stack === undefined ? {} : { stack }),
      ...(typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) ? { retryAfterMs } : {}),
    };
  } catch {
    // no text: for authors, not for people
    return { name: 'Error', message: 'an error that cannot be read was thrown' };
  }
}

type ErrorOptions = Omit<SentError, 'name' | 'message' | 'stack' | 'code'>;
type ErrorClass = new (code: string, message: string, options: ErrorOptions) => Error;

/** Makes errors of the class of the plugin's own copy of the SDK, where it has one; else some that are recognised by their code. */
export function errorMaker(ConnectorError: unknown): (sent: SentError) => Error {
  const isClass = (value: unknown): value is ErrorClass => typeof value === 'function';
  return ({ name, message, code, stack: _, ...options }) => {
    if (name !== 'ConnectorError' || code === undefined) return Object.assign(new Error(message), { name });
    if (isClass(ConnectorError)) return new ConnectorError(code, message, options);
    return Object.assign(new Error(message), { name, code, ...options });
  };
}

import { CONNECTOR_ERROR_CODES, ConnectorError, isConnectorError } from '../../errors.ts';
import { ReportError, type ReportErrorCode } from '../../findings/report-parser.ts';
import type { SentError } from './messages.ts';

const REPORT_ERROR_CODES: readonly ReportErrorCode[] = [
  'report_malformed',
  'report_wrong_tool',
  'report_too_complex',
  'report_empty',
];
const MAX_TEXT = 2_000;

const textOf = (value: unknown, name: string): string => {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return typeof text === 'string' ? text.slice(0, MAX_TEXT) : '';
};

/** The error that a process sent, whatever its form. Only the agreed errors keep their meaning; anything else is a crash. */
export function madeError(sent: unknown): Error {
  const [name, message, code, help] = ['name', 'message', 'code', 'help'].map((part) => textOf(sent, part));
  const known = CONNECTOR_ERROR_CODES.find((one) => one === code);
  if (name === 'ConnectorError' && known !== undefined) {
    const retryAfterMs: unknown =
      typeof sent === 'object' && sent !== null ? Reflect.get(sent, 'retryAfterMs') : undefined;
    return new ConnectorError(known, message ?? '', {
      ...(help === '' || help === undefined ? {} : { help }),
      ...(typeof retryAfterMs === 'number' ? { retryAfterMs } : {}),
    });
  }
  const refusal = REPORT_ERROR_CODES.find((one) => one === code);
  if (name === 'ReportError' && refusal !== undefined) return new ReportError(refusal, message ?? '');
  const error = new Error(message);
  error.name = name === '' || name === undefined ? 'Error' : name;
  error.stack = textOf(sent, 'stack');
  return error;
}

/** What the code of a plugin learns of an error of the host: those that it may act on, and of others only that something failed. */
export function errorForPlugin(error: unknown): SentError {
  if (isConnectorError(error)) {
    const { name, message, code, help, retryAfterMs } = error;
    return {
      ...{ name, message, code },
      ...(help === undefined ? {} : { help }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    };
  }
  if (error instanceof TypeError) return { name: 'TypeError', message: error.message };
  if (error instanceof DOMException) return { name: error.name, message: error.message };
  // no text: for authors, not for people
  return { name: 'Error', message: 'the host could not do this' };
}

import { parseJson } from '../http/answers.ts';
import { reviveBytes } from './frames.ts';
import { ASKS, type FromChild } from './messages.ts';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What a process said, judged: its code may have written it. Null for what is no message. @throws for what is no JSON */
export function readMessage(body: Uint8Array): FromChild | null {
  const message = reviveBytes(parseJson(body));
  return isFromChild(message) ? message : null;
}

function isFromChild(message: unknown): message is FromChild {
  if (!isObject(message)) return false;
  const { t, id, ask, what, args, records } = message;
  const hasCall = typeof id === 'number';
  switch (t) {
    case 'ready':
    case 'pong':
    case 'described':
    case 'failed':
      return true;
    case 'value':
    case 'error':
    case 'log':
      return hasCall;
    case 'records':
      return hasCall && Array.isArray(records);
    case 'ask':
      return hasCall && typeof ask === 'number' && ASKS.some((one) => one === what) && Array.isArray(args);
    default:
      return false;
  }
}

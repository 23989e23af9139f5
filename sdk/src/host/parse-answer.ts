import type { HttpAnswer, Json } from '../context.ts';
import { ConnectorError } from '../errors.ts';
import { parseJson, UnreadableJson } from './safe-json.ts';

/** The body of an answer as JSON; null for an empty one. @throws ConnectorError upstream */
export function parseAnswer(title: string, { headers, body }: Pick<HttpAnswer, 'headers' | 'body'>): Json {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    if (/^\s*text\/html/i.test(headers['content-type'] ?? '')) {
      throw new ConnectorError('upstream', `${title} answered with a page for people instead of data.`, {
        help: 'Is the address that of the service itself, and does it need no sign-in page or proxy before it?',
      });
    }
    throw new ConnectorError('upstream', `The answer of ${title} cannot be read: ${error.message}.`);
  }
}

import { ConnectorError } from '@breakwater/sdk';

/** An event may hold a few kilobytes; more without an end is no event stream. */
const LONGEST_LINE = 1_000_000;

/**
 * Data of each event of a `text/event-stream`, whatever way it is cut into pieces.
 * Source: HTML Living Standard, "Server-sent events"; only `data` is used.
 */
export async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let data: string[] = [];
  for await (const line of linesOf(stream)) {
    if (line === '') {
      if (data.length > 0) yield data.join('\n');
      data = [];
    } else if (line.startsWith('data:')) {
      data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
    }
  }
  // The end of the stream ends its last event: some servers leave the empty line out.
  if (data.length > 0) yield data.join('\n');
}

async function* linesOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const piece of stream) {
    rest += decoder.decode(piece, { stream: true });
    // A carriage return at the very end may be the first half of a line end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > LONGEST_LINE)
      throw new ConnectorError('upstream', 'A line of the answer is too long for an event.');
  }
  if (rest !== '') yield rest.replace(/\r$/, '');
}

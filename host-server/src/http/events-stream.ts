import { once } from 'node:events';
import type { ServerEvent } from '@breakwater/core/platform/server/endpoint.ts';
import type { Response } from 'express';

const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it connects again. */
const RETRY_MS = 3000;

/** A field of the format ends at a line end: what is in the event's name must not start another one. */
const frame = (event: ServerEvent): string =>
  `event: ${event.event.replace(/[\r\n]/g, ' ')}\ndata: ${JSON.stringify(event.data ?? null)}\n\n`;

export interface EventsStream {
  events: AsyncIterable<ServerEvent>;
  /** Ends the stream. */
  signal: AbortSignal;
  /** Asked at every heartbeat; the stream ends when it says no. */
  isStillAllowed(): Promise<boolean>;
  /** Ends the stream from inside. */
  end(): void;
}

/** Writes server-sent events until the reader leaves, the session ends or the server stops. */
export const writeEvents = async (response: Response, stream: EventsStream): Promise<void> => {
  response.status(200);
  response.setHeader('Content-Type', 'text/event-stream; charset=utf-8');
  response.setHeader('X-Accel-Buffering', 'no');
  response.write(`retry: ${RETRY_MS}\n: connected\n\n`);
  const heartbeat = setInterval(() => {
    response.write(': still here\n\n');
    stream.isStillAllowed().then(
      (isAllowed) => isAllowed || stream.end(),
      () => undefined,
    );
  }, HEARTBEAT_MS);
  try {
    for await (const event of stream.events) {
      if (stream.signal.aborted || response.destroyed) break;
      if (!response.write(frame(event))) await once(response, 'drain', { signal: stream.signal });
    }
  } catch (error) {
    if (!stream.signal.aborted) throw error;
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
};

/** The text of a stream of server-sent events. */
export interface EventText {
  /** All that came, once it holds the text. @throws where the stream ends before: reading on would never let go of this thread */
  until(text: string): Promise<string>;
  /** Waits for its end. */
  ended(): Promise<void>;
}

/** Reads the answer to a request for events. @throws where it has no body */
export const readEventText = ({ body, status }: Response): EventText => {
  if (body === null) throw new Error(`No events: ${status}`);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let heard = '';
  return {
    until: async (text) => {
      while (!heard.includes(text)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`The events ended before "${text}". Until then: ${heard}`);
        heard += value;
      }
      return heard;
    },
    ended: async () => {
      while (!(await reader.read()).done);
    },
  };
};

import { useEffect, useState } from 'react';

/** First rows and charts are on the screen by then, on a slow phone as well. */
const REST_MS = 3000;

const loaded = (): Promise<void> =>
  new Promise((resolve) => {
    if (document.readyState === 'complete') resolve();
    else window.addEventListener('load', () => resolve(), { once: true });
  });

const rested = async (): Promise<void> => {
  await loaded();
  await new Promise((resolve) => setTimeout(resolve, REST_MS));
};

let resting: Promise<void> | undefined;

/**
 * Fetches code that nobody needs for the first look, once what they look at is there: before, it takes the line from it. A failure is met
 * again, and told, where the code is needed.
 */
export const loadWhenIdle = async (fetchCode: () => Promise<unknown>): Promise<void> => {
  resting ??= rested();
  await resting;
  await fetchCode().catch(() => undefined);
};

/** The same for code that a component shows. @returns whether it is there. */
export const useFetchedLater = (fetchCode: () => Promise<unknown>): boolean => {
  const [isThere, setIsThere] = useState(false);
  useEffect(() => {
    let isMounted = true;
    void loadWhenIdle(fetchCode).then(() => isMounted && setIsThere(true));
    return () => {
      isMounted = false;
    };
  }, [fetchCode]);
  return isThere;
};

/** Where the page keeps the answers that it asked for before the application was there, by address. `app/vite/first-calls.ts` asks. */
export const FIRST_ANSWERS = 'breakwaterFirstAnswers';

/** Older answers may be of before a change that nobody told this page. Since the navigation. */
const FRESH_MS = 15_000;

const takeAnswer = (address: string): Promise<Response> | undefined => {
  const answers: unknown = Reflect.get(globalThis, FIRST_ANSWERS);
  if (!(answers instanceof Map) || performance.now() > FRESH_MS) return undefined;
  const answer: unknown = answers.get(address);
  // an answer is read once
  answers.delete(address);
  return answer instanceof Promise ? answer : undefined;
};

/** The same fetch, which begins with what the page has already asked for: the first rows are on their way before the code that shows them. */
export const withFirstAnswers =
  (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  async (input, init) => {
    const isReading = typeof input === 'string' && (init?.method ?? 'GET') === 'GET';
    const answer = isReading ? takeAnswer(input) : undefined;
    if (answer === undefined) return fetch(input, init);
    // a call that failed then is made again
    const response = await answer.catch(() => undefined);
    init?.signal?.throwIfAborted();
    return response ?? fetch(input, init);
  };

import type { ConnectorErrorCode } from '../errors.ts';
import type { TestAnswer, TestAnswers, TestRequest } from './test-service.ts';

/** Something that a service does wrong with one request. */
export interface AnswerFault {
  readonly name: string;
  /** What the connector must fail with. */
  readonly code: ConnectorErrorCode;
  /** Where it only means something to lists with further pages. */
  readonly isOfLists?: boolean;
  /** Where the test has to give up by `signal`, because nothing ever comes. */
  readonly isHeld?: boolean;
  /** @param real does what was asked and gives the right answer */
  answer(real: () => TestAnswer | Promise<TestAnswer>): TestAnswer | Promise<TestAnswer>;
}

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): TestAnswer => ({
  status,
  headers,
  json: { message: 'It went wrong.' },
});

/**
 * What every client of a service must survive, as a table for `it.each`. The kit's fault matrix goes further for what reads recorded
 * answers; this one is for stateful fakes, where a write has an effect.
 */
export const ANSWER_FAULTS: readonly AnswerFault[] = [
  { name: 'refuses the credentials', code: 'auth', answer: () => refusal(401) },
  { name: 'refuses the right', code: 'scope', answer: () => refusal(403) },
  { name: 'was asked too often', code: 'rate_limited', answer: () => refusal(429, { 'retry-after': '120' }) },
  {
    name: 'says "too often" with 403',
    code: 'rate_limited',
    answer: () => refusal(403, { 'retry-after': '120', 'x-ratelimit-remaining': '0' }),
  },
  { name: 'has an error', code: 'upstream', answer: () => refusal(500) },
  { name: 'is being restarted', code: 'upstream', answer: () => refusal(503, { 'retry-after': '120' }) },
  {
    name: 'answers with a page of a proxy',
    code: 'upstream',
    answer: () => ({ headers: { 'content-type': 'text/html' }, body: '<!doctype html><title>Sign in</title>' }),
  },
  { name: 'answers with another document', code: 'upstream', answer: () => ({ json: { unexpected: [1, 2] } }) },
  { name: 'does not answer', code: 'unreachable', isHeld: true, answer: () => ({ ends: 'held' }) },
  {
    name: 'sends a list on to another host',
    code: 'upstream',
    isOfLists: true,
    answer: async (real) => {
      const answer = await real();
      const address = 'https://elsewhere.example/next?page=2';
      return { ...answer, headers: { ...answer.headers, link: `<${address}>; rel="next"` } };
    },
  },
];

/**
 * The same service with one fault at the request of this number, from 0.
 * @returns `struck` once the fault was met, with the request
 */
export function withFault(
  answer: TestAnswers,
  fault: Pick<AnswerFault, 'answer'>,
  at: number,
): { readonly answer: TestAnswers; readonly struck: Promise<TestRequest> } {
  const { promise, resolve } = Promise.withResolvers<TestRequest>();
  let count = 0;
  return {
    struck: promise,
    answer: (request) => {
      const index = count;
      count += 1;
      if (index !== at) return answer(request);
      resolve(request);
      return fault.answer(() => answer(request));
    },
  };
}

/** Which requests a fault meets, and how many of them; all, where nothing is said. */
export interface FaultOrder {
  readonly fault: Pick<AnswerFault, 'answer'>;
  when?(request: TestRequest): boolean;
  readonly times?: number;
}

/** Faults of a service that runs. */
export interface ServiceFaults {
  readonly answer: TestAnswers;
  /** From the next request on. @returns the requests that it met, as they come */
  add(order: FaultOrder): readonly TestRequest[];
  /** Everything is right again. */
  clear(): void;
}

/** The same service, with faults that a test adds and clears while it runs. The first that fits a request meets it. */
export function faultsBefore(answer: TestAnswers): ServiceFaults {
  const orders = new Map<FaultOrder, TestRequest[]>();
  return {
    answer: (request) => {
      for (const [order, met] of orders) {
        if (met.length >= (order.times ?? Number.POSITIVE_INFINITY) || order.when?.(request) === false) continue;
        met.push(request);
        return order.fault.answer(() => answer(request));
      }
      return answer(request);
    },
    add: (order) => {
      const met: TestRequest[] = [];
      orders.set(order, met);
      return met;
    },
    clear: () => orders.clear(),
  };
}

/** The right answer, later. */
export const slowBy = (milliseconds: number): Pick<AnswerFault, 'answer'> => ({
  answer: async (real) => {
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    return real();
  },
});

// no text in this file: what an expression did wrong is for its author
import { parentPort } from 'node:worker_threads';
import jsonata from 'jsonata';

/** One question to the worker. */
export interface MappingQuestion {
  readonly items: readonly { readonly input: unknown; readonly parent?: unknown }[];
  readonly bindings: Readonly<Record<string, unknown>>;
  readonly expressions: Readonly<Record<string, string>>;
}

export type MappingAnswer =
  | { readonly values: readonly Readonly<Record<string, unknown>>[] }
  | { readonly failed: string };

const compiled = new Map<string, jsonata.Expression>();

const expressionOf = (text: string): jsonata.Expression => {
  const known = compiled.get(text) ?? jsonata(text);
  compiled.set(text, known);
  return known;
};

/** Of the expression that is evaluated. */
let place = '';

const evaluate = async (
  name: string,
  text: string,
  input: unknown,
  bindings: Record<string, unknown>,
): Promise<unknown> => {
  place = name;
  const value: unknown = await expressionOf(text).evaluate(input, bindings);
  return value === undefined ? undefined : plain(value);
};

/** JSONata's lists carry functions and its lambdas their surroundings, which cannot leave the worker. */
const plain = (value: unknown): unknown => {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch {
    throw new Error('It gives no plain value.');
  }
  return text === undefined ? undefined : JSON.parse(text);
};

const answer = async (question: MappingQuestion): Promise<MappingAnswer> => {
  try {
    const values: Record<string, unknown>[] = [];
    for (const { input, parent } of question.items) {
      const value: Record<string, unknown> = {};
      for (const [name, text] of Object.entries(question.expressions)) {
        value[name] = await evaluate(name, text, input, { ...question.bindings, parent });
      }
      values.push(value);
    }
    return { values };
  } catch (error) {
    return { failed: `"${place}": ${reasonOf(error)}` };
  }
};

/** JSONata's texts quote values of the input; its codes do not. */
const reasonOf = (error: unknown): string => {
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string') {
    return `JSONata says ${error.code}.`;
  }
  return error instanceof Error ? error.message : 'It failed.';
};

parentPort?.on('message', (question: MappingQuestion) => {
  void answer(question).then((result) => parentPort?.postMessage(result));
});

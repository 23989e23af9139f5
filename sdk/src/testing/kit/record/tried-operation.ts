import type { Json } from '../../../context.ts';
import type { ConnectorDocument } from '../../../declarative/document.ts';
import { recordsAt } from '../../../declarative/records.ts';
import type { FilledForm } from '../service/canary.ts';
import type { AskedOperation } from './ask-service.ts';
import { scrubbing } from './scrub.ts';
import { type rootsOf, scrubbedExchange } from './scrubbed-exchange.ts';

/** What one operation came to. */
export interface TriedOperation {
  readonly name: string;
  readonly isOk: boolean;
  /** Why it did not succeed; empty where it did. */
  readonly message: string;
  /** What was asked, as `GET /account`. */
  readonly requests: readonly string[];
  /** The answer of the check, or the first record of findings; long texts and lists are cut. Null where there is none. */
  readonly answer: Json;
}

interface Shown {
  readonly document: ConnectorDocument;
  readonly form: FilledForm;
  readonly roots: ReturnType<typeof rootsOf>;
}

export function triedOperation(
  { operation: { name }, exchanges, failure }: AskedOperation,
  shown: Shown,
): TriedOperation {
  const { document, form, roots } = shown;
  const { result } = scrubbing(form.secrets, (scrubber) =>
    exchanges.map((raw) => ({ raw, scrubbed: scrubbedExchange(raw, roots, scrubber) })),
  );
  const body = result.at(-1)?.scrubbed.answer.body ?? null;
  return {
    name,
    isOk: failure === undefined,
    message: failure ?? '',
    requests: result.map(({ scrubbed: { method, path, search } }) => `${method} ${path}${search}`),
    answer: shapeOf(name === 'findings.sync' ? firstRecord(body, document) : body),
  };
}

/** Where the list is not where the document says, the answer itself shows why. */
function firstRecord(body: Json, { findings }: ConnectorDocument): Json {
  try {
    const [first] = recordsAt(body, findings?.records);
    return first === undefined ? body : JSON.parse(JSON.stringify(first.input));
  } catch {
    return body;
  }
}

const LONGEST_TEXT = 300;
const MOST_ITEMS = 3;
const MOST_FIELDS = 60;
const DEEPEST = 8;

/** A value as far as a person has to see it to name its fields. */
function shapeOf(value: Json, depth = 0): Json {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}…` : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) return value.slice(0, MOST_ITEMS).map((item) => shapeOf(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .slice(0, MOST_FIELDS)
      .map(([name, part]) => [name, shapeOf(part, depth + 1)]),
  );
}

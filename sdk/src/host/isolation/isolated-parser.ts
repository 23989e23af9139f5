import { type HostParser, ReportError, type ReportRecord } from '../../findings/report-parser.ts';
import { FUNCTION } from './capability-shape.ts';
import { judged } from './isolated-code.ts';
import { IsolationError, type IsolationFailure } from './isolation-error.ts';
import type { IsolationLimits } from './isolation-limits.ts';
import { STAND } from './messages.ts';
import type { ProcessPool } from './process-pool.ts';

const BATCH = 200;
/** A parser that failed so often in recognising is left alone for a time: it would make every upload wait. */
const MOST_STRIKES = 3;
const REST_MS = 600_000;

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= 100 && value.every((one) => typeof one === 'string' && one.length <= 100);
const isRecord = (_record: unknown): _record is ReportRecord => true;

/** The parsers of a description, each of which runs in the process of its plugin. */
export function isolatedParsers(description: unknown, pool: ProcessPool, limits: IsolationLimits): HostParser[] {
  if (!Array.isArray(description)) return [];
  return description.flatMap((one: unknown) => {
    if (!isObject(one) || one['parse'] !== FUNCTION || one['recognise'] !== FUNCTION) return [];
    const { tool, formats, aliases, emptyMeansNone } = one;
    if (typeof tool !== 'string' || !isTexts(formats)) return [];
    return [
      {
        tool,
        formats,
        ...(isTexts(aliases) ? { aliases } : {}),
        ...(emptyMeansNone === true ? { emptyMeansNone } : {}),
        ...readsOf(one['reads']),
        ...functionsOf(tool, pool, limits),
      },
    ];
  });
}

function readsOf(value: unknown): Pick<HostParser, 'reads'> {
  if (!isObject(value)) return {};
  const { part, files, failure, identity, isPartOnlyTool } = value;
  if (!isObject(part) || !isTexts(Object.values(part)) || !isTexts(failure) || typeof identity !== 'string') return {};
  const names = Object.entries(part).map(([name, text]): [string, string] => [name, String(text)]);
  return {
    reads: {
      ...{ part: Object.fromEntries(names), failure, identity },
      ...(typeof files === 'string' ? { files } : {}),
      ...(isPartOnlyTool === true ? { isPartOnlyTool } : {}),
    },
  };
}

function functionsOf(
  tool: string,
  pool: ProcessPool,
  limits: IsolationLimits,
): Pick<HostParser, 'recognise' | 'parse'> {
  let strikes = 0;
  let restsUntil = 0;
  return {
    recognise: async (head, name) => {
      if (performance.now() < restsUntil) return 0;
      try {
        await withSignal(pool.start(''), AbortSignal.timeout(limits.recogniseStartMs));
        const signal = AbortSignal.timeout(limits.recogniseMs);
        const order = {
          path: ['parsers', tool, 'recognise'],
          args: name === undefined ? [head] : [head, name],
          signal,
        };
        const score = await withSignal(pool.call('', order), signal);
        return typeof score === 'number' ? score : 0;
      } catch {
        strikes += 1;
        if (strikes >= MOST_STRIKES) restsUntil = performance.now() + REST_MS;
        return 0;
      }
    },
    async *parse(report, { signal, ...options }) {
      const args = [{ [STAND]: 'bytes' }, { ...options, signal: { [STAND]: 'signal' } }];
      const source = withMemory(report);
      const order = { path: ['parsers', tool, 'parse'], args, bytes: source.bytes, signal };
      try {
        for await (const record of judged('parse', pool.streamAlone(order, BATCH))) if (isRecord(record)) yield record;
      } catch (error) {
        signal.throwIfAborted();
        throw source.failure() ?? refusalOf(error);
      }
    },
  };
}

/** Bytes that remember why they ended early: the process only learns that the host could not go on. */
function withMemory(report: AsyncIterable<Uint8Array>) {
  let failure: Error | undefined;
  async function* bytes(): AsyncGenerator<Uint8Array> {
    try {
      yield* report;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      throw error;
    }
  }
  return { bytes: bytes(), failure: () => failure };
}

/** What the process was ended for that the report was too much for. */
const TOO_MUCH: readonly IsolationFailure[] = ['memory', 'unresponsive', 'silent', 'too_much'];
/** What is no fault of the importer: another time it may go. */
const PASSING: readonly IsolationFailure[] = ['start', 'busy', 'network'];

/** A crash of a stranger's importer is none of the server: whoever uploaded the report learns that it was not read, and by whom. */
function refusalOf(error: unknown): unknown {
  if (error instanceof ReportError) return error;
  const failure = error instanceof IsolationError ? error.failure : undefined;
  if (failure !== undefined && PASSING.includes(failure)) return error;
  return failure !== undefined && TOO_MUCH.includes(failure)
    ? new ReportError(
        'report_too_complex',
        'The importer of this tool was ended: it took too long or too much memory. Upload a smaller report, or tell the publisher of the plugin.',
        { cause: error },
      )
    : new ReportError(
        'report_malformed',
        'The importer of this tool failed at this report. Check that it is whole, or tell the publisher of the plugin.',
        { cause: error },
      );
}

async function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const handleAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', handleAbort, { once: true });
  work.catch(() => undefined);
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', handleAbort);
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, ApiClient } from './api.ts';
import { generatedReport } from './reports.ts';

/** People and programs that go on while the primary is killed, and what they met. */
export interface Load {
  /** Answers of each kind: an HTTP status, or `connection`. */
  answers: Record<string, number>;
  /** What must never be, and how often it was: another status than that of success or 503, or rows of another organisation. */
  faults: Record<string, number>;
  /** Decisions that were acknowledged and those whose answer did not come, in the order in which they were sent. */
  decisions: Decision[];
  /** Scans of acknowledged uploads. */
  scans: string[];
  /** From now on the first read that begins and succeeds is timed. */
  primaryWasKilled(): void;
  /** Seconds from the kill to the answer of the first read that began after it; undefined before. */
  firstReadSeconds(): number | undefined;
  /** Lets everybody finish what they do. */
  stop(): Promise<void>;
}

export interface Decision {
  findingId: string;
  value: string;
  /** Unique: by it the decision is found in the history of the finding. */
  reason: string;
  isAcknowledged: boolean;
}

/** Somebody who reads lists, and the repositories whose findings these may hold. */
export interface Reader {
  api: ApiClient;
  repositories: ReadonlySet<string>;
}

export interface LoadOptions {
  /** Each reads a list again and again. */
  readers: readonly Reader[];
  /** Each decides about findings of its own, one after the other. */
  writers: readonly { api: ApiClient; findingIds: readonly string[] }[];
  uploader: { api: ApiClient; repositoryId: string };
  /** Makes reasons and reports of this load differ from those of others. */
  name: string;
}

const READ_EVERY_MS = 8000;
const WRITE_EVERY_MS = 150;
const UPLOAD_EVERY_MS = 1500;
const SMALL_REPORT = 20;
const VERDICTS = ['false_positive', 'accepted_risk', 'valid'] as const;

const around = (ms: number): number => ms * (0.5 + Math.random());

const foreignRows = (answer: Answer, { repositories }: Reader): string[] =>
  answer.body.data
    .map(({ attributes }: { attributes: { repository_id: string } }) => attributes.repository_id)
    .filter((id: string) => !repositories.has(id));

const countOf = (counts: Record<string, number>, kind: string): void => {
  counts[kind] = (counts[kind] ?? 0) + 1;
};

/** What may be met while there is no primary, besides a lost connection, and where a busy machine sends a request too slowly (408). */
const PASSING = new Set([503, 408]);

/** Calls that count their answers. */
const createCounter = (load: Pick<Load, 'answers' | 'faults'>) => {
  /** @returns the answer where it is one of success. */
  return async (what: string, call: () => Promise<Answer>): Promise<Answer | undefined> => {
    const answer = await call().catch(() => undefined);
    countOf(load.answers, answer === undefined ? 'connection' : String(answer.status));
    if (answer === undefined || PASSING.has(answer.status)) return undefined;
    if (answer.status < 300) return answer;
    countOf(load.faults, `${what}: ${answer.status} ${answer.body?.code ?? ''}`);
    return undefined;
  };
};

/** Starts all of it. */
export const startLoad = ({ readers, writers, uploader, name }: LoadOptions): Load => {
  const [answers, faults, decisions, scans]: [Load['answers'], Load['faults'], Decision[], string[]] = [{}, {}, [], []];
  const leaving = new AbortController();
  const counted = createCounter({ answers, faults });
  let killedAt = Number.POSITIVE_INFINITY;
  let firstReadSeconds: number | undefined;
  const repeat = async (everyMs: number, work: (turn: number) => Promise<void>): Promise<void> => {
    for (let turn = 0; !leaving.signal.aborted; turn += 1) {
      await pause(around(everyMs), undefined, { signal: leaving.signal }).catch(() => undefined);
      if (!leaving.signal.aborted) await work(turn);
    }
  };
  const read = async (reader: Reader): Promise<void> => {
    const begunAt = performance.now();
    const answer = await counted('a list', () => reader.api.get('/findings'));
    if (answer === undefined) return;
    const foreign = foreignRows(answer, reader);
    for (const id of foreign) countOf(faults, `a list has a row of the foreign repository ${id}`);
    if (begunAt > killedAt) firstReadSeconds ??= (performance.now() - killedAt) / 1000;
  };
  const decide = async ({ api, findingIds }: LoadOptions['writers'][number], writer: number, turn: number) => {
    const findingId = findingIds[turn % findingIds.length] ?? '';
    const value = VERDICTS[Math.floor(turn / findingIds.length) % VERDICTS.length] ?? 'valid';
    const decision = { findingId, value, reason: `${name}, writer ${writer}, turn ${turn}`, isAcknowledged: false };
    decisions.push(decision);
    const body = { verdict: { value, reason: decision.reason } };
    const answer = await counted('a decision', () => api.call('PUT', `/findings/${findingId}`, body));
    decision.isAcknowledged = answer !== undefined;
  };
  const upload = async (turn: number): Promise<void> => {
    const report = generatedReport(SMALL_REPORT, 1000 + turn);
    const { api, repositoryId } = uploader;
    const answer = await counted('an upload', () => api.upload(repositoryId, `${name}-${turn}.json`, report, 0));
    if (answer !== undefined) scans.push(answer.body.data.scan_id);
  };
  const everybody = [
    ...readers.map((reader) => repeat(READ_EVERY_MS, () => read(reader))),
    ...writers.map((writer, index) => repeat(WRITE_EVERY_MS, (turn) => decide(writer, index, turn))),
    repeat(UPLOAD_EVERY_MS, upload),
  ];
  return {
    ...{ answers, faults, decisions, scans },
    primaryWasKilled: () => {
      killedAt = performance.now();
    },
    firstReadSeconds: () => firstReadSeconds,
    stop: async () => {
      leaving.abort();
      await Promise.all(everybody);
    },
  };
};

import type { Json } from '@breakwater/sdk';
import { secretKeys } from '@breakwater/sdk';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { readValues } from '../../connectors/server/index.ts';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import type { AttemptLimiter } from '../../platform/server/limits.ts';
import type { TriedDocument } from '../api/routes.ts';
import { type CheckedDocument, readTestable, refuse } from './check-document.ts';

/** What is tried: a document and the values of its form, as text; lists and pairs as JSON. */
export interface TestOrder {
  document: unknown;
  values: Readonly<Record<string, string>>;
  /** One message is sent and one ticket is made, where the document says how. */
  sends: boolean;
  /** A report of the tool, as text; left out: none is read. */
  report?: string | undefined;
}

/**
 * Asks the service of a document, in a process of its own, only at hosts of the document and none in a private network. Given by the composition root.
 * @returns what came of it (`TriedDocument` of the sdk), or in words why it could not be tried
 */
export type LiveTest = (order: TestOrder, signal: AbortSignal) => Promise<{ tried: unknown } | { failed: string }>;

/** Attempts of one organisation: each of them asks somebody else's service. */
export const LIVE_TEST_LIMIT = { name: 'connector-tests', attempts: 30, perSeconds: 600 } as const;

export interface LiveTestDeps {
  run: LiveTest;
  /** Of an organisation. */
  attempts: AttemptLimiter;
  checkSchema: Parameters<typeof readValues>[2];
}

/** Of a shorter one nothing could be told from ordinary words in an answer. */
const SHORTEST_SECRET = 6;

const valueIssue = (name: string, text: string): FieldIssue => ({
  loc: ['body', 'values', name],
  msg: text,
  type: 'connector',
});

const textOf = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** The form as it is filled in. @throws validation_failed with the issues of each field */
const readForm = (
  { connector: { credentials } }: CheckedDocument,
  given: Readonly<Record<string, unknown>>,
  checkSchema: LiveTestDeps['checkSchema'],
): Record<string, string> => {
  const { change, issues } = readValues(credentials, given, checkSchema);
  const secrets = [...change.secrets];
  const values = Object.fromEntries([
    ...Object.entries(change.set).map(([name, value]) => [name, textOf(value)]),
    ...secrets,
  ]);
  const hasDefault = (name: string): boolean => Object.hasOwn(credentials.properties[name] ?? {}, 'default');
  const missing = (credentials.required ?? []).filter((name) => values[name] === undefined && !hasDefault(name));
  const known = new Set<string>(secretKeys(credentials));
  const short = secrets.filter(([name, secret]) => known.has(name) && secret.length < SHORTEST_SECRET);
  refuse([
    ...issues,
    ...missing.map((name) => valueIssue(name, msg('This field is required.'))),
    ...short.map(([name]) =>
      valueIssue(name, msg('A secret of fewer than 6 characters could not be found again in an answer.')),
    ),
  ]);
  return values;
};

const Findings = Type.Array(
  Type.Object({
    ruleId: Type.String(),
    title: Type.String(),
    severity: Type.Enum(['critical', 'high', 'medium', 'low', 'informational']),
    type: Type.String(),
    place: Type.String(),
  }),
);

/** As the process writes it. Source: `sdk/src/testing/kit/record/try-document.ts`. */
const Tried = Type.Object({
  identity: Type.Union([Type.String(), Type.Null()]),
  operations: Type.Array(
    Type.Object({
      name: Type.String(),
      isOk: Type.Boolean(),
      message: Type.String(),
      requests: Type.Array(Type.String()),
      answer: Type.Unknown(),
    }),
  ),
  applications: Type.Array(Type.String()),
  findings: Findings,
  report: Type.Union([
    Type.Null(),
    Type.Object({
      isOk: Type.Boolean(),
      message: Type.String(),
      count: Type.Integer(),
      findings: Findings,
      unreadable: Type.Array(Type.String()),
    }),
  ]),
  fixtures: Type.Unknown(),
  scrubbed: Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() })),
  isOnePage: Type.Boolean(),
  isUnsent: Type.Boolean(),
});

const MOST_FINDINGS = 20;

/** As it comes from the browser. */
export interface TestRequest {
  clientId: string;
  document: unknown;
  values: Readonly<Record<string, unknown>>;
  sends?: boolean;
  report?: string;
}

const shown = (findings: Static<typeof Findings>) =>
  findings.map(({ ruleId, ...finding }) => ({ ...finding, rule: ruleId }));

/**
 * Tries a document with its service. Credentials are used once and stored nowhere.
 * @throws validation_failed, too_many_requests, upstream_failed where it could not be tried
 */
export const testWithService = async (
  { run, attempts, checkSchema }: LiveTestDeps,
  order: TestRequest,
  signal: AbortSignal,
): Promise<{ checked: CheckedDocument; tried: TriedDocument }> => {
  const checked = readTestable(order.document);
  const values = readForm(checked, order.values, checkSchema);
  await attempts.take(order.clientId);
  const answer = await run(
    { document: order.document, values, sends: order.sends === true, report: order.report },
    signal,
  );
  if ('failed' in answer)
    throw new AppError(
      'upstream_failed',
      say('The connector could not be tested. {reason}', { reason: answer.failed }),
    );
  const { isOnePage, isUnsent, operations, findings, report, ...tried } = Value.Parse(Tried, answer.tried);
  return {
    checked,
    tried: {
      ...tried,
      operations: operations.map(({ isOk, ...operation }) => ({ ...operation, is_ok: isOk })),
      findings: shown(findings.slice(0, MOST_FINDINGS)),
      report: report && {
        is_ok: report.isOk,
        message: report.message,
        count: report.count,
        unreadable: report.unreadable,
        findings: shown(report.findings),
      },
      is_one_page: isOnePage,
      is_unsent: isUnsent,
    },
  };
};

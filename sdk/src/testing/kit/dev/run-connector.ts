import type { AnyConnector } from '../../../connector.ts';
import type { Json } from '../../../context.ts';
import { createSecretMask } from '../../../host/auth/secret-mask.ts';
import { environmentName } from '../../../host/egress/egress-rules.ts';
import { createEgressGate } from '../../../host/index.ts';
import { recordsOf } from '../checks/reports.ts';
import { CommandError } from '../commands/command-error.ts';
import type { LoadedFolder } from '../load-plugin.ts';
import { askService } from '../record/ask-service.ts';
import { type Environment, realForm } from '../record/form-values.ts';
import { overrideOf } from '../record/record.ts';
import { readRecordedReport, reportName } from '../recorded-report.ts';
import { play } from '../service/play.ts';
import { describeOutcome } from '../service/recorded.ts';
import { openSubject, type Subject } from '../service/subject.ts';

/** What one operation came to, for a page. */
export interface Result {
  readonly operation: string;
  readonly isOk: boolean;
  /** One sentence. */
  readonly message: string;
  readonly help?: string | undefined;
  readonly value?: unknown;
  /** What was asked, as `GET /account`. */
  readonly requests: readonly string[];
  /** How the requests differ from the recorded ones, and what no record answers. */
  readonly differences: readonly string[];
}

/** What the page shows: the check, and the findings. */
const SHOWN = new Set(['check', 'findings.sync']);

/** @param routes inputs of own routes, in place of those that the fixture gives */
const subjectOf = (
  folder: string,
  { server, fixtures }: LoadedFolder,
  connector: AnyConnector,
  routes?: Readonly<Record<string, Json>>,
): Promise<Subject> => {
  const code = server?.connectors[connector.id] ?? {};
  const fixture = fixtures.connectors[connector.id] ?? {};
  const calls = routes === undefined ? {} : { calls: { ...fixture.calls, routes } };
  return openSubject({ connector, code, fixture: { ...fixture, ...calls }, folder });
};

/** Runs check and sync of a connector against its recorded answers, and reads its recorded reports. */
export async function runDemo(folder: string, loaded: LoadedFolder, connector: AnyConnector): Promise<Result[]> {
  const subject = await subjectOf(folder, loaded, connector);
  const operations = subject.operations.filter(({ name }) => SHOWN.has(name));
  const played = await Promise.all(operations.map((operation) => demoResult(subject, operation)));
  return [...played, ...(await reportResults(folder, loaded, connector))];
}

async function demoResult(subject: Subject, operation: Subject['operations'][number]): Promise<Result> {
  const played = await play(subject, operation);
  const { outcome, seen } = played;
  const strangers = seen.filter(({ exchange }) => exchange === null);
  return {
    operation: operation.name,
    isOk: outcome.ok,
    message: outcome.ok ? 'It succeeded with the recorded answers.' : `It ${describeOutcome(played)}.`,
    ...(outcome.ok ? { value: outcome.value } : { help: outcome.error.help }),
    requests: seen.map(({ method, address }) => `${method} ${address}`),
    differences: [
      ...strangers.map(({ method, address }) => `no recorded exchange answers ${method} ${address}`),
      ...played.inexact,
    ],
  };
}

/** What a view calls. */
export interface ViewCall {
  /** `GET /projects`. */
  readonly route: string;
  readonly input: Json;
}

/** Runs an own route with what a view gave it, against the recorded answers. */
export async function runRoute(
  folder: string,
  loaded: LoadedFolder,
  connector: AnyConnector,
  { route, input }: ViewCall,
): Promise<Result> {
  const subject = await subjectOf(folder, loaded, connector, { [route]: input });
  const operation = subject.code.routes?.some(({ method, path }) => `${method} ${path}` === route)
    ? subject.operations.find(({ name }) => name === route)
    : undefined;
  if (operation !== undefined) return demoResult(subject, operation);
  return {
    operation: route,
    isOk: false,
    message: `The connector has no route ${route}.`,
    requests: [],
    differences: [],
  };
}

async function reportResults(
  folder: string,
  loaded: LoadedFolder,
  { parser: source }: AnyConnector,
): Promise<Result[]> {
  const parser = loaded.parsers.find(({ tool }) => tool === source?.tool);
  if (parser === undefined) return [];
  return Promise.all(
    (loaded.fixtures.reports?.[parser.tool] ?? []).map(async (report, index): Promise<Result> => {
      const base = { operation: `report ${reportName(report, index)}`, requests: [], differences: [] };
      try {
        const { bytes } = await readRecordedReport(report, index, folder);
        const value = await recordsOf(parser, bytes, bytes.byteLength);
        return { ...base, isOk: true, message: 'It was read.', value };
      } catch (error) {
        return { ...base, isOk: false, message: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

export interface RealRun {
  /** Values that were typed, by field; empty ones come from the environment. */
  readonly typed: Readonly<Record<string, string>>;
  readonly environment: Environment;
}

/** Runs check and sync of a connector against the real service. Secrets stand nowhere in what comes out. */
export async function runReal(
  folder: string,
  loaded: LoadedFolder,
  connector: AnyConnector,
  { typed, environment }: RealRun,
): Promise<Result[]> {
  const subject = await subjectOf(folder, loaded, connector);
  const filled = Object.entries(typed).filter(([, value]) => value !== '');
  const own = Object.fromEntries(filled.map(([name, value]) => [environmentName(connector.id, name), value]));
  const results: Result[] = [];
  try {
    const form = await realForm(connector, {
      environment: { ...environment, ...own },
      known: subject.fixture.credentials,
    });
    const baseUrlOverride = overrideOf(connector, environment);
    const gate = createEgressGate({ allowPrivateHosts: false, trusted: baseUrlOverride ? [baseUrlOverride.host] : [] });
    const mask = createSecretMask();
    for (const secret of Object.values(form.secrets)) mask.add(secret);
    try {
      for (const operation of subject.operations.filter(({ name }) => SHOWN.has(name))) {
        const [asked] = await askService([operation], { connector, form, gate, baseUrlOverride, mayFail: true });
        const requests = asked?.exchanges.map(({ method, url }) => mask.text(`${method} ${url.pathname}${url.search}`));
        const value: unknown = JSON.parse(mask.text(JSON.stringify(asked?.value ?? null)));
        const { failure } = asked ?? {};
        const message = failure ?? 'It succeeded with the real service.';
        results.push({
          operation: operation.name,
          isOk: failure === undefined,
          message,
          value,
          requests: requests ?? [],
          differences: [],
        });
      }
    } finally {
      await gate.close();
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    results.push({ operation: 'The real service', isOk: false, message: error.message, requests: [], differences: [] });
  }
  return results;
}

import type { Json } from '../../../context.ts';
import type { ConnectorFixture, Exchange, Situation } from '../../fixtures.ts';
import { requestIssues, resultIssues } from '../checks/results.ts';
import { CommandError } from '../commands/command-error.ts';
import { type FilledForm, findLeaks } from '../service/canary.ts';
import { playRecorded } from '../service/recorded.ts';
import { openSubject, type Subject } from '../service/subject.ts';
import { signatureOf, updateFixture } from '../update-fixtures.ts';
import { type AskedOperation, isReading } from './ask-service.ts';
import { exactExchanges, type ScrubbedOperation } from './exact-exchanges.ts';
import { type Scrubbed, scrubbing } from './scrub.ts';
import { rootsOf, scrubbedExchange } from './scrubbed-exchange.ts';

export interface FixtureParts {
  /** The connector with the fixture that it has so far. */
  readonly before: Subject;
  /** Of the plugin, for answers in files. */
  readonly folder: string;
  readonly form: FilledForm;
  readonly baseUrlOverride?: URL | undefined;
}

export interface RecordedFixture {
  readonly fixture: ConnectorFixture;
  /** How many were recorded. */
  readonly exchanges: number;
  readonly scrubbed: Scrubbed;
}

/**
 * A fixture of what operations asked the real service and were answered, secrets scrubbed. It replays as it was recorded, and holds no secret.
 * @throws CommandError
 */
export async function fixtureOf(
  asked: readonly AskedOperation[],
  { before, folder, form, baseUrlOverride }: FixtureParts,
): Promise<RecordedFixture> {
  const { connector, code, fixture: known } = before;
  const roots = rootsOf(connector, form.config, baseUrlOverride);
  const { result, scrubbed } = scrubbing(form.secrets, (scrubber) => ({
    credentials: scrubber.json(jsonOf(form.config)),
    operations: asked.map(({ operation, exchanges, failure, repeated }) => ({
      operation,
      ...(repeated === undefined ? {} : { repeated }),
      hasFailed: failure !== undefined,
      exchanges: exchanges.map((raw) => scrubbedExchange(raw, roots, scrubber)),
    })),
  }));
  const credentials = { ...keptSecrets(known, form), ...Object(result.credentials) };
  const exchanges = await exactExchanges(
    result.operations.filter(({ repeated }) => repeated === undefined),
    { connector, credentials },
  );
  const situations = await repetitions(result.operations, { connector, credentials });
  const kept = await exchangesOfOthers(before, exchanges);
  const subject = await openSubject({
    connector,
    code,
    folder,
    fixture: {
      ...{ ...known, ...signatureOf(connector.auth), credentials, exchanges: [...exchanges, ...kept] },
      ...(situations.length === 0 ? {} : { situations: [...(known.situations ?? []), ...situations] }),
    },
  });
  const fixture = await updateFixture(subject);
  const sound = asked.filter(({ failure }) => failure === undefined).map(({ operation }) => operation.name);
  await proveReplay({ ...subject, fixture }, sound);
  proveClean(form, fixture);
  return { fixture, exchanges: exchanges.length, scrubbed };
}

/** Writes that were asked once more, as situations of the fixture. */
async function repetitions(
  operations: readonly (ScrubbedOperation & Pick<AskedOperation, 'repeated'>)[],
  parts: Parameters<typeof exactExchanges>[1],
): Promise<Situation[]> {
  const situations: Situation[] = [];
  for (const { repeated: name, ...one } of operations) {
    if (name === undefined) continue;
    const exchanges = await exactExchanges([one], parts);
    situations.push({ name, during: one.operation.name, isRepeated: true, exchanges });
  }
  return situations;
}

function jsonOf(value: unknown): Json {
  return JSON.parse(JSON.stringify(value));
}

/** A secret of the fixture that must have a shape is the author's own; the real value never takes its place. */
function keptSecrets({ credentials = {} }: ConnectorFixture, { secrets }: FilledForm): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(credentials).filter(([name, value]) => Object.hasOwn(secrets, name) && value !== secrets[name]),
  );
}

/** What the operations that were not recorded use of the fixture as it was. */
async function exchangesOfOthers(before: Subject, recorded: readonly Exchange[]): Promise<Exchange[]> {
  const others = before.operations.filter((one) => !isReading(one));
  if (others.length === 0 || before.fixture.exchanges === undefined) return [];
  const played = await playRecorded({ ...before, operations: others });
  const requests = new Set(recorded.map(({ request }) => JSON.stringify(request)));
  const used = new Set(played.flatMap((one) => one.used));
  return [...used].filter(({ request }) => !requests.has(JSON.stringify(request)));
}

async function proveReplay(subject: Subject, names: readonly string[]): Promise<void> {
  const operations = subject.operations.filter(({ name }) => names.includes(name));
  const recorded = await playRecorded({ ...subject, operations });
  const issues = recorded.flatMap((one) => [
    ...one.issues,
    ...requestIssues(subject, one),
    ...resultIssues(subject, one),
  ]);
  if (issues.length === 0) return;
  throw new CommandError(
    `Nothing was written: what was recorded does not replay.\n${issues.map(({ what }) => `  ${what}\n`).join('')}`,
  );
}

/** Fewer letters and digits stand by chance in a recording. */
const SHORTEST_CORE = 8;

/** The last look, by other means than those that scrubbed: whatever signs an encoding has put between, letters and digits stay. */
export function proveClean({ secrets }: FilledForm, written: unknown): void {
  const text = JSON.stringify(written);
  const letters = lettersOf(text);
  const fields = Object.entries(secrets).filter(([field, secret]) => {
    const core = lettersOf(secret);
    return findLeaks({ [field]: secret }, text).length > 0 || (core.length >= SHORTEST_CORE && letters.includes(core));
  });
  if (fields.length === 0) return;
  const names = fields.map(([field]) => field).join(', ');
  throw new CommandError(
    `Nothing was written: ${names} would still stand in the recording, encoded in a way that is not known. Record with another key that is used for this alone, and report it.`,
  );
}

const lettersOf = (text: string): string => text.replace(/[^A-Za-z0-9]/g, '');

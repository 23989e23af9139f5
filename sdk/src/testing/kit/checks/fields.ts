import { MODEL_FIELDS } from '../../../capability-contracts.ts';
import { isConfigured } from '../../../connector.ts';
import type { Json } from '../../../context.ts';
import { type CredentialField, secretKeys } from '../../../credentials.ts';
import type { KitIssue } from '../check.ts';
import { fillForm } from '../service/canary.ts';
import { differences } from '../service/placeholders.ts';
import { play } from '../service/play.ts';
import { describeOutcome, type Recorded } from '../service/recorded.ts';
import { addressesOf, type Subject } from '../service/subject.ts';
import { UPDATE } from './results.ts';
import type { PlayedSituation } from './situations.ts';

/** A form that may be stored without a field works without it: otherwise people are told that all is well until it is used. */
export async function requiredIssues(subject: Subject): Promise<KitIssue[]> {
  const { connector } = subject;
  const operation = subject.operations.find(({ name }) => name === 'check');
  if (operation === undefined) return [];
  const { config, secrets } = fillForm(connector, subject.fixture);
  const stored = { ...config, ...Object.fromEntries(secretKeys(connector.credentials).map((key) => [key, true])) };
  const names = Object.keys({ ...config, ...secrets });
  const found = await Promise.all(
    names.map(async (name): Promise<KitIssue[]> => {
      if (!isConfigured(connector, without(stored, name))) return [];
      const played = await play(subject, operation, { without: name });
      const { outcome } = played;
      if (outcome.ok || !(outcome.crashed || NOT_FILLED.includes(outcome.error.code))) return [];
      return [
        {
          what: `the form counts as configured without "${name}", but then check ${describeOutcome(played)}`,
          where: `credentials.properties.${name}`,
          fix: 'Name the field in "required", give it a default, or do without it; correct isConfigured if there is one.',
        },
      ];
    }),
  );
  return found.flat();
}

const NOT_FILLED: readonly string[] = ['config', 'auth'];

function without(values: Readonly<Record<string, unknown>>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([field]) => field !== name));
}

/** Requests go to the addresses that the fixture states. */
export function addressIssues(subject: Subject): KitIssue[] {
  const { connector, fixture } = subject;
  const actual = addressesOf(subject, fillForm(connector, fixture).config);
  const where = `connectors.${connector.id}.addresses of conformance.json`;
  if (Object.keys(actual).length === 0 && fixture.addresses === undefined) return [];
  if (fixture.addresses === undefined) return [{ what: 'nothing says where requests go', where, fix: UPDATE }];
  return differences(fixture.addresses, actual).map((difference) => ({
    what: `requests go elsewhere than expected: ${difference}`,
    where,
    fix: `Correct baseUrl or services of the manifest. ${UPDATE}`,
  }));
}

/** Fields that must be filled are used; what the code looks at by name has been tried with its choices. */
export function fieldIssues(
  subject: Subject,
  recorded: readonly Recorded[],
  situations: readonly PlayedSituation[],
): KitIssue[] {
  const { connector } = subject;
  const { properties, required = [] } = connector.credentials;
  const runs = [...recorded, ...situations.map((one) => one.recorded)].map(({ played }) => played);
  const looked = new Set(runs.flatMap((played) => [...played.looked]));
  const taken = new Set(runs.flatMap((played) => [...played.taken]));
  const written = JSON.stringify([connector.auth, connector.baseUrl, connector.services, connector.permissions]);
  const secrets = new Set<string>(secretKeys(connector.credentials));
  return Object.entries(properties).flatMap(([name, field]): KitIssue[] => {
    if (secrets.has(name)) return [];
    const where = `credentials.properties.${name}`;
    const isUsed =
      looked.has(name) || taken.has(name) || isNamedIn(connector, written, name) || isReadByHost(subject, name);
    if (required.includes(name) && !isUsed) {
      const what = `"${name}" must be filled in, and nothing uses it`;
      return [{ what, where, fix: 'Use it, or take it out of the form. Is it missing in baseUrl or in a request?' }];
    }
    return looked.has(name) ? untried(subject, name, field) : [];
  });
}

const READ_BY_HOST: readonly string[] = [...MODEL_FIELDS.names, ...Object.values(MODEL_FIELDS.prices)];

const isReadByHost = ({ code }: Subject, name: string): boolean =>
  code.remediator !== undefined && READ_BY_HOST.includes(name);

/** Of `permissions` only what may be revealed counts: hosts that may be asked are not asked for that reason. */
function isNamedIn({ permissions }: Subject['connector'], written: string, name: string): boolean {
  const own = written.replaceAll(JSON.stringify(permissions), '');
  return own.includes(`{{${name}}}`) || own.includes(`"${name}"`);
}

function untried({ connector, fixture }: Subject, name: string, field: CredentialField): KitIssue[] {
  const forms = [{}, ...(fixture.situations ?? []).map(({ credentials = {} }) => credentials)];
  const values = forms.map(
    (credentials) => fillForm(connector, { credentials: { ...fixture.credentials, ...credentials } }).config[name],
  );
  const missing = valuesOf(field).filter((wanted) => !values.some((value) => isTried(wanted, value)));
  return missing.map((wanted) => ({
    what: `the code looks at "${name}", but it is never tried ${wanted === FILLED ? 'with a value' : `with ${JSON.stringify(wanted)}`}`,
    where: `connectors.${connector.id}.situations of conformance.json`,
    fix: `Add a situation with "credentials": { "${name}": ${wanted === FILLED ? '…' : JSON.stringify(wanted)} }, and what is then asked and answered.`,
  }));
}

const FILLED = Symbol('filled');

function valuesOf(field: CredentialField): readonly (Json | typeof FILLED)[] {
  if (field.type === 'boolean') return [true, false];
  if (field.type === 'string' && field.enum !== undefined) return field.enum;
  return [FILLED];
}

function isTried(wanted: Json | typeof FILLED, value: unknown): boolean {
  if (wanted !== FILLED) return value === wanted || (wanted === false && value === undefined);
  return value !== undefined && value !== null && value !== '';
}

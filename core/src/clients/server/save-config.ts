import type { Static } from 'typebox';
import type { ConnectorItem } from '../../connectors/server/index.ts';
import { AppError, type FieldIssue } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { organizationNameIssues } from '../../platform/model/plain-name.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { RequestOrigin } from '../../platform/server/audit.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { appliedChange, readSettings, saveSettings } from '../../prioritisation/server/index.ts';
import { isCloud, requestCloudScan } from '../../scanning/server/index.ts';
import { GOOGLE_TOKEN } from '../../session/server/index.ts';
import type { ClientSettings } from '../api/routes.ts';
import { changeCompany } from '../model/company.ts';
import { CLOUDS, type ConfigTarget, readConfigKey, SECTIONS } from '../model/connector-sections.ts';
import { type ClientDeps, notifyChanged, signedClient } from './deps.ts';
import './tables.ts';

type Values = Readonly<Record<string, unknown>>;

const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (issues: FieldIssue[]): AppError => new AppError('validation_failed', undefined, { issues });

const keyIssue = (msg: string, type: string): AppError => refuse([{ loc: ['body', 'key'], msg, type }]);

/** @throws connector_not_found, validation_failed */
const targetOf = (key: string): Extract<ConfigTarget, { kind: 'clouds' | 'connector' }> => {
  const target = readConfigKey(key);
  if (target.kind === 'unknown') throw new AppError('connector_not_found', msg('No connector has that key.'));
  if (target.kind === 'tokens') {
    throw keyIssue(msg('Plexalyzer has no configuration: make and revoke its tokens instead.'), 'key');
  }
  return target;
};

/** The clouds that a save of `plugins.cloud` names. @throws validation_failed */
const cloudsOf = (values: Values): [cloud: string, values: Values][] => {
  const clouds = Object.entries(values);
  const issues = clouds.flatMap(([cloud, inner]): FieldIssue[] => {
    const loc = ['body', 'values', cloud];
    if (!CLOUDS.some((known) => known === cloud))
      return [{ loc, msg: sayEnglish('Must be one of: {values}.', { values: CLOUDS.join(', ') }), type: 'cloud' }];
    return isValues(inner) ? [] : [{ loc, msg: msg('Must be the fields of this cloud.'), type: 'type' }];
  });
  if (clouds.length === 0) issues.push({ loc: ['body', 'values'], msg: msg('Name a cloud.'), type: 'missing' });
  if (issues.length > 0) throw refuse(issues);
  return clouds.flatMap(([cloud, inner]): [string, Values][] => (isValues(inner) ? [[cloud, inner]] : []));
};

/** Errors name the field below its cloud. */
const belowCloud = (issues: readonly FieldIssue[], cloud: string): FieldIssue[] =>
  issues.map((issue) => ({ ...issue, loc: [...issue.loc.slice(0, 2), cloud, ...issue.loc.slice(2)] }));

/** Saves each cloud by itself; what is wrong with some is reported together, after the valid ones were stored. */
const saveClouds = async ({ connections }: ClientDeps, caller: Caller, values: Values): Promise<ConnectorItem[]> => {
  const items: ConnectorItem[] = [];
  const issues: FieldIssue[] = [];
  for (const [cloud, fields] of cloudsOf(values)) {
    try {
      items.push(await connections.save(caller, cloud, fields));
    } catch (error) {
      if (!(error instanceof AppError) || error.issues === undefined) throw error;
      issues.push(...belowCloud(error.issues, cloud));
    }
  }
  if (issues.length > 0) throw refuse(issues);
  return items;
};

const summaryOf = ({ _id, attributes }: ConnectorItem) => ({
  _id,
  isConfigured: attributes.is_configured,
  state: attributes.state,
  message: attributes.state_detail.message,
});

/** Reads the client anew for the answer, after what else the change brings. */
const answerWith = (deps: ClientDeps, caller: Caller, items: readonly ConnectorItem[]) =>
  deps.database.forClient(caller.clientId, async (db) => {
    const scanRequest = items.some(isCloud) ? await requestCloudScan(db, deps.jobs, caller) : null;
    await notifyChanged(db, caller.clientId);
    return {
      success: true as const,
      data: {
        client: await signedClient(deps, db, caller),
        connectors: items.map(summaryOf),
        scan_request: scanRequest,
      },
    };
  });

/** Stores the configuration that a key names. @throws connector_not_found, validation_failed, conflict */
export const saveConfigOf = async (deps: ClientDeps, caller: Caller, config: { key: string; values: Values }) => {
  const target = targetOf(config.key);
  const items =
    target.kind === 'clouds'
      ? await saveClouds(deps, caller, config.values)
      : [await deps.connections.save(caller, target.connector, config.values)];
  return answerWith(deps, caller, items);
};

/** Deletes the configuration that a key names. @throws connector_not_found, validation_failed, conflict */
export const removeConfigOf = async (deps: ClientDeps, caller: Caller, given: readonly (string | undefined)[]) => {
  const [key, ...others] = given.filter((one) => one !== undefined);
  if (key === undefined) throw keyIssue(msg('Name the connector.'), 'missing');
  if (others.some((other) => other !== key)) throw keyIssue(msg('Body and query name different connectors.'), 'key');
  const target = targetOf(key);
  const connectors = target.kind === 'clouds' ? CLOUDS : [target.connector];
  for (const connector of connectors) await deps.connections.remove(caller, connector);
  return answerWith(deps, caller, []);
};

type Settings = Static<typeof ClientSettings>;

/** Errors name the setting. `skipped` words of their place belong to the route that the setting stands for. */
const withinSetting = async <T>(setting: readonly string[], skipped: number, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.issues === undefined) throw error;
    const issues = error.issues.map((issue) => ({ ...issue, loc: ['body', ...setting, ...issue.loc.slice(skipped)] }));
    throw new AppError('validation_failed', undefined, { issues, cause: error });
  }
};

/** A setting that is a connector's form. */
const saveForm = (
  { connections }: ClientDeps,
  caller: Caller,
  form: { setting: readonly string[]; connector: string; values: Values | null | undefined },
): Promise<unknown> => {
  const { setting, connector, values } = form;
  if (values === undefined) return Promise.resolve();
  if (values === null) return connections.remove(caller, connector);
  return withinSetting(setting, 2, () => connections.save(caller, connector, values));
};

const AI_FORMS = ['remediator', 'validation'] as const;
type AiForm = (typeof AI_FORMS)[number];

/** Stores the forms of AI one by one; what is wrong with either is reported together. @throws validation_failed, conflict */
export const saveAiForms = async (
  deps: ClientDeps,
  caller: Caller,
  forms: NonNullable<Settings['ai_configuration']>,
  at: readonly string[],
): Promise<void> => {
  const issues: FieldIssue[] = [];
  for (const name of AI_FORMS) {
    try {
      const { connector } = SECTIONS[name];
      await saveForm(deps, caller, { setting: [...at, name], connector, values: forms[name] });
    } catch (error) {
      if (!(error instanceof AppError) || error.issues === undefined) throw error;
      issues.push(...error.issues);
    }
  }
  if (issues.length > 0) throw refuse(issues);
};

/** Tests one of them without storing it. @throws validation_failed, conflict, integration_not_configured, upstream_failed */
export const probeAiForm = async (
  { connections }: ClientDeps,
  caller: Caller,
  { name, values }: { name: AiForm; values: Values | null | undefined },
) => ({
  success: true as const,
  data: await withinSetting([name], 2, () => connections.probe(caller, SECTIONS[name].connector, values ?? {})),
});

/** What can be refused goes first. @throws validation_failed, conflict */
const saveForms = async (deps: ClientDeps, caller: Caller, settings: Settings): Promise<void> => {
  const { prioritisation, issue_webhook, ai_configuration } = settings;
  if (prioritisation !== undefined) {
    await withinSetting(['prioritisation'], 1, () =>
      deps.database.forClient(caller.clientId, async (db) =>
        appliedChange((await readSettings(db, caller.clientId)).settings, prioritisation),
      ),
    );
  }
  await saveForm(deps, caller, { setting: ['issue_webhook'], connector: 'webhook', values: issue_webhook });
  if (ai_configuration !== undefined) await saveAiForms(deps, caller, ai_configuration, ['ai_configuration']);
};

/** The name as it is stored. @throws validation_failed where nobody could see it */
const withPlainName = (settings: Settings): Settings => {
  const { organization_name: name } = settings;
  if (name === undefined) return settings;
  const issues = organizationNameIssues(name);
  if (issues.length > 0) throw refuse(issues);
  return { ...settings, organization_name: name.trim() };
};

interface Change {
  caller: Caller;
  settings: Settings;
  origin: RequestOrigin;
}

/** Changes the given settings and nothing else. @throws validation_failed, conflict, upstream_failed */
export const changeClient = async (deps: ClientDeps, { caller, settings: given, origin }: Change): Promise<void> => {
  const settings = withPlainName(given);
  await saveForms(deps, caller, settings);
  const { company, subscription, prioritisation, google_oauth_token, ...others } = settings;
  const { issue_webhook: _w, ai_configuration: _a, ...changes } = others;
  if (subscription !== undefined) await deps.chooseFreePlan(caller, origin);
  await deps.database.forClient(caller.clientId, async (db) => {
    if (company !== undefined) {
      const { company: stored } = await db
        .selectFrom('clients')
        .select('company')
        .where('id', '=', caller.clientId)
        .forUpdate()
        .executeTakeFirstOrThrow();
      await db
        .updateTable('clients')
        .set({ company: JSON.stringify(changeCompany(stored, company)) })
        .where('id', '=', caller.clientId)
        .execute();
    }
    if (Object.keys(changes).length > 0) {
      await db.updateTable('clients').set(changes).where('id', '=', caller.clientId).execute();
    }
    if (google_oauth_token !== undefined) {
      const place = { clientId: caller.clientId, ...GOOGLE_TOKEN };
      await (google_oauth_token === null
        ? deps.vault.remove(db, place)
        : deps.vault.put(db, place, google_oauth_token));
    }
    if (prioritisation !== undefined) await saveSettings(db, { caller, jobs: deps.jobs, change: prioritisation });
    await notifyChanged(db, caller.clientId);
  });
};

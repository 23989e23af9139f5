import { resolve } from 'node:path';
import type { AnyConnector } from '../../connector.ts';
import { readLanguages } from '../../host/read-languages.ts';
import { readViews } from '../../host/read-views.ts';
import type { AnyConnectorCode } from '../../server.ts';
import { checkPlugin } from '../check-plugin.ts';
import type { ConnectorFixture } from '../fixtures.ts';
import type { KitCheck, KitIssue, Tier } from './check.ts';
import { checkTheCheck } from './checks/bronze.ts';
import { checkCapabilities } from './checks/capabilities.ts';
import { checkAbort, checkEgress, checkSecrets } from './checks/conduct.ts';
import { checkFaultMatrix, playFaults } from './checks/fault-matrix.ts';
import { checkForm } from './checks/form.ts';
import { checkGold } from './checks/gold/gold.ts';
import { checkSpoiledReports } from './checks/gold/spoiled-reports.ts';
import { checkIsolation, type KitIsolation, openKitIsolation } from './checks/isolation.ts';
import { checkLanguages, type Languages } from './checks/languages.ts';
import { type LooseEnds, watchLooseEnds } from './checks/loose-ends.ts';
import { checkReports } from './checks/reports.ts';
import { checkStatechart } from './checks/statechart.ts';
import { checkTypes } from './checks/types.ts';
import { type LoadedFolder, loadPlugin, UnreadablePlugin } from './load-plugin.ts';
import { fillForm } from './service/canary.ts';
import { playRecorded } from './service/recorded.ts';
import { hasService, openSubject } from './service/subject.ts';

/** What the kit computed for one connector. */
export interface ConnectorReport {
  readonly id: string;
  readonly title: string;
  /** The highest tier that was tried and whose every point passes. */
  readonly tier: 'none' | Tier;
  /** Why silver does not apply; null where it does. */
  readonly silverNotApplicable: string | null;
  /** Why gold does not apply; null where it does, or was not tried. */
  readonly goldNotApplicable: string | null;
  readonly checks: readonly KitCheck[];
}

/** What the kit computed for one plugin. */
export interface KitReport {
  readonly plugin: { readonly id: string; readonly version: string } | null;
  /** Issues of the plugin as a whole: none of its connectors reaches bronze. */
  readonly issues: readonly KitIssue[];
  readonly notes: readonly string[];
  readonly connectors: readonly ConnectorReport[];
  /** The highest tier that was tried. */
  readonly tried: Tier;
}

export interface KitOptions {
  /** Ids of the connectors that are tested; left out: all. */
  readonly only?: readonly string[];
  /** False: types are not checked, because who asks does that for many folders at once. Default true. */
  readonly areTypesChecked?: boolean;
  /** The highest tier that is tried. Default silver: gold plays everything once more. */
  readonly upTo?: Tier;
}

/**
 * Computes the tiers of every connector of the plugin in a folder. Offline: services are played from `conformance.json`.
 * Never throws for what is wrong with the plugin.
 */
export async function runKit(folder: string, options: KitOptions = {}): Promise<KitReport> {
  const root = resolve(folder);
  const looseEnds = watchLooseEnds();
  try {
    const loaded = await loadPlugin(root);
    return await reportOn(root, loaded, { ...options, looseEnds });
  } catch (error) {
    if (error instanceof UnreadablePlugin) {
      return { plugin: null, issues: error.issues, notes: [], connectors: [], tried: options.upTo ?? 'silver' };
    }
    throw error;
  } finally {
    looseEnds.stop();
  }
}

/** The report on a plugin that has been loaded already. */
export async function reportOn(
  folder: string,
  loaded: LoadedFolder,
  { looseEnds, only, areTypesChecked = true, upTo = 'silver' }: KitOptions & { readonly looseEnds?: LooseEnds } = {},
): Promise<KitReport> {
  const { plugin, parsers, server } = loaded;
  const messages = checkPlugin(plugin, { parsers, ...(server ? { server } : {}) });
  const languages = await readLanguages(folder, plugin, loaded.sentences);
  const [types, checked] = await Promise.all([
    checkTypes(folder, areTypesChecked ? loaded.entries : []),
    checkConnectors(folder, loaded, { messages, looseEnds, languages, only, upTo }),
  ]);
  const importers = messages.filter((issue) => issue.startsWith('importer ')).map(manifestIssue);
  const texts = checkLanguages(languages);
  const views = (await readViews(folder, plugin)).issues.map(viewIssue);
  const issues = [...loaded.issues, ...types.issues, ...importers, ...texts.issues, ...views];
  return {
    plugin: { id: plugin.id, version: plugin.version },
    issues,
    notes: [...(types.notes ?? []), ...texts.notes],
    connectors: checked.map((one) => judge({ ...one, isPluginSound: issues.length === 0 })),
    tried: upTo,
  };
}

function viewIssue(what: string): KitIssue {
  return { what, where: 'manifest', fix: 'See "Views" in the author guide.' };
}

interface KitRun {
  readonly messages: readonly string[];
  readonly looseEnds: LooseEnds | undefined;
  readonly languages: Languages;
  readonly only: readonly string[] | undefined;
  readonly upTo: Tier;
}

/** One after the other, so that what fails late is told of the right one. */
async function checkConnectors(
  folder: string,
  loaded: LoadedFolder,
  { messages, looseEnds, languages, only, upTo }: KitRun,
): Promise<Omit<Judged, 'isPluginSound'>[]> {
  const { plugin, server, fixtures } = loaded;
  const checked: Omit<Judged, 'isPluginSound'>[] = [];
  let isolation: Promise<KitIsolation> | undefined;
  const isolate = () => {
    isolation ??= openKitIsolation(folder, loaded);
    return isolation;
  };
  for (const connector of plugin.connectors.filter(({ id }) => only?.includes(id) ?? true)) {
    const own = messages.filter((issue) => issue.startsWith(`${connector.id}: `)).map(manifestIssue);
    const code = server?.connectors[connector.id] ?? {};
    const card: KitCheck = { tier: 'bronze', name: 'card', tried: 1, issues: own };
    const fixture = fixtures.connectors[connector.id];
    const checks = [card, ...(await checkConnector({ folder, connector, code, fixture, languages, isolate, upTo }))];
    const reports = await checkReports(connector, { folder, parsers: loaded.parsers, fixtures });
    if (reports !== null && (reports.tried > 0 || hasService({ code }))) checks.push(reports);
    if (checks.some(({ tier }) => tier === 'gold')) {
      checks.push(await checkSpoiledReports(connector, { folder, parsers: loaded.parsers, fixtures }));
    }
    if (looseEnds !== undefined && checks.some(({ tier }) => tier === 'silver')) checks.push(looseEnds.take());
    checked.push({ connector, code, checks });
  }
  (await isolation)?.close();
  return checked;
}

function manifestIssue(messages: string): KitIssue {
  const [where = '', ...what] = messages.split(': ');
  return { what: what.join(': '), where: `manifest, ${where}`, fix: 'Correct the manifest or the code behind it.' };
}

interface Parts {
  readonly folder: string;
  readonly connector: AnyConnector;
  readonly code: AnyConnectorCode;
  readonly fixture: ConnectorFixture | undefined;
  readonly languages: Languages;
  readonly upTo: Tier;
  isolate(): Promise<KitIsolation>;
}

async function checkConnector({
  folder,
  connector,
  code,
  fixture,
  languages,
  isolate,
  upTo,
}: Parts): Promise<KitCheck[]> {
  const isCard = !hasService({ code }) || connector.disabled !== undefined;
  // A service without recorded answers has an issue that says more than missing test values.
  const form = checkForm(connector, fixture || isCard ? fillForm(connector, fixture ?? {}) : null);
  if (isCard) return [form];
  if (fixture?.exchanges === undefined) return [form, noFixture(connector)];
  try {
    const subject = await openSubject({ connector, code, fixture, folder });
    const recorded = await playRecorded(subject);
    const check = await checkTheCheck(subject, recorded, languages);
    const bronze = [form, check];
    if (bronze.some(({ issues }) => issues.length > 0)) return [...bronze, await checkCapabilities(subject, recorded)];
    const sound = recorded.filter(({ issues }) => issues.length === 0);
    const [statechart, runs] = await Promise.all([checkStatechart(subject, sound), playFaults(subject, sound)]);
    const silver = [
      ...bronze,
      await checkCapabilities(subject, recorded),
      statechart,
      checkFaultMatrix(runs, sound),
      await checkAbort(subject, sound, runs),
      checkSecrets(recorded, runs),
      checkEgress(recorded, runs),
      await checkIsolation(subject, sound, { ...(await isolate()), folder }),
    ];
    const isSilver = silver.every(({ issues }) => issues.length === 0);
    return isSilver && upTo === 'gold' ? [...silver, ...(await checkGold(subject, recorded))] : silver;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      const issue = { what: error.message, where: 'conformance.json', fix: 'Correct the path of the file.' };
      return [form, { tier: 'bronze', name: 'check', tried: 0, issues: [issue] }];
    }
    throw error;
  }
}

function noFixture({ id }: AnyConnector): KitCheck {
  const issue: KitIssue = {
    what: 'it talks to a service, but nothing says what the service answers',
    where: 'conformance.json',
    fix: `Add connectors.${id}.exchanges with recorded answers, secrets removed.`,
  };
  return { tier: 'bronze', name: 'check', tried: 0, issues: [issue] };
}

interface Judged {
  readonly connector: AnyConnector;
  readonly code: AnyConnectorCode;
  readonly checks: readonly KitCheck[];
  readonly isPluginSound: boolean;
}

function judge({ connector, code, checks, isPluginSound }: Judged): ConnectorReport {
  const passes = (tier: Tier) => checks.every((one) => one.tier !== tier || one.issues.length === 0);
  const silverNotApplicable = notApplicable(connector, code);
  const hasBronze = isPluginSound && passes('bronze');
  const hasSilver = hasBronze && silverNotApplicable === null && passes('silver');
  const gold = checks.filter((one) => one.tier === 'gold');
  const isGoldTried = gold.some((one) => one.notApplicable === undefined);
  const hasGold = hasSilver && isGoldTried && passes('gold');
  const tier = hasGold ? 'gold' : hasSilver ? 'silver' : hasBronze ? 'bronze' : 'none';
  const goldNotApplicable =
    silverNotApplicable ?? (gold.length > 0 && !isGoldTried ? 'none of its checks applies' : null);
  return { id: connector.id, title: connector.title, tier, silverNotApplicable, goldNotApplicable, checks };
}

function notApplicable(connector: AnyConnector, code: AnyConnectorCode): string | null {
  if (connector.disabled !== undefined) return 'disabled';
  return hasService({ code }) ? null : 'talks to no service';
}

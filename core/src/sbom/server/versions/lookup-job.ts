import type { Logger } from 'pino';
import { type Static, Type } from 'typebox';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { createExclusion } from '../../model/excluded-packages.ts';
import { ASK_AGAIN_SECONDS, pauseSeconds } from '../../model/lookup-answer.ts';
import { type Release, releaseOf } from '../../model/newest-published.ts';
import { type RegistryPackage, registryPackageOf } from '../../model/registry-package.ts';
import type { PackageService } from './deps-dev.ts';
import { lookupPause, PAUSE_SUBJECT, readLookupSettings, versionLookups } from './lookup-settings.ts';
import {
  addPackages,
  claimPackages,
  type KnownPackage,
  listUsedComponents,
  postponePackages,
  readPackages,
  removeUnused,
  type UsedComponent,
  writeAnswer,
  writeReleases,
} from './package-store.ts';

export interface VersionLookupDeps {
  database: DatabaseHandle;
  packages: PackageService;
  log: Logger;
}

/** The application whose components are looked up. */
const RepositoryRef = Type.Object({ clientId: Type.String(), repositoryId: Type.String() });
type RepositoryRef = Static<typeof RepositoryRef>;

/** Packages that are taken at once. */
const CHUNK = 100;
/** About so many are asked for in one run; the next begins a minute later. */
const MOST_OF_A_RUN = 500;
const AT_ONCE = 4;
const LEAST_SECONDS = 60;
const MOST_SECONDS = 24 * 3600;
/** One that got no answer comes after the others. */
const AFTER_FAILURE_SECONDS = 3600;

/** A package with the components that are versions of it. */
interface UsedPackage extends RegistryPackage {
  components: UsedComponent[];
}

const keyOf = ({ system, name }: RegistryPackage): string => `${system} ${name}`;

/** What may be asked for, and which components may not. */
const groupByPackage = (components: readonly UsedComponent[], excluded: readonly string[]) => {
  const isExcluded = createExclusion(excluded);
  const packages = new Map<string, UsedPackage>();
  const others = new Map<string, undefined>();
  for (const component of components) {
    const known = registryPackageOf(component);
    if (known === undefined || isExcluded(known)) {
      others.set(component.digest, undefined);
      continue;
    }
    const all = packages.get(keyOf(known));
    if (all === undefined) packages.set(keyOf(known), { ...known, components: [component] });
    else all.components.push(component);
  }
  return { packages: [...packages.values()], others };
};

interface Pause {
  /** Milliseconds since 1970. */
  until: number;
  failures: number;
}

/** How long the service wants to be left alone. */
const readPause = (database: DatabaseHandle): Promise<Pause> =>
  database.forIdentity(async (db) => {
    const pause = await lookupPause.read(db, PAUSE_SUBJECT);
    return { until: pause?.dueAt?.getTime() ?? 0, failures: pause?.state.failures ?? 0 };
  });

const writePause = (database: DatabaseHandle, pause: { inSeconds: number; failures: number }): Promise<void> =>
  database.forIdentity((db) =>
    lookupPause.schedule(db, PAUSE_SUBJECT, { inSeconds: pause.inSeconds, change: { failures: pause.failures } }),
  );

/** What a run has come to. */
interface Run {
  deps: VersionLookupDeps;
  clientId: string;
  signal: AbortSignal;
  asked: number;
  /** The service refused: nothing more is asked. */
  isRefused: boolean;
}

/** The first refusal of a run counts, not each of those that were under way. */
const pauseLookups = async (run: Run, answer: { reason: string; retryAfter: string | null }): Promise<void> => {
  if (run.isRefused) return;
  run.isRefused = true;
  const { database, packages, log } = run.deps;
  const { failures } = await readPause(database);
  const seconds = pauseSeconds(answer.retryAfter, failures);
  await writePause(database, { inSeconds: seconds, failures: failures + 1 });
  log.warn({ host: packages.host, reason: answer.reason, seconds }, 'the lookup of versions pauses');
};

/** @returns whether there was an answer. */
const askOne = async (run: Run, wanted: RegistryPackage): Promise<boolean> => {
  const { deps, clientId, signal } = run;
  const { database, packages, log } = deps;
  const answer = await packages.ask(wanted, signal);
  run.asked += 1;
  if (answer.outcome === 'refused') {
    await pauseLookups(run, answer);
    return false;
  }
  const { outcome } = answer;
  if (outcome === 'unreadable') log.warn({ host: packages.host, reason: answer.reason }, 'an answer was not read');
  const versions = outcome === 'found' ? answer.versions : null;
  await database.forClient(clientId, (db) =>
    writeAnswer(db, { ...wanted, clientId, outcome, versions, askAgainSeconds: ASK_AGAIN_SECONDS[outcome] }),
  );
  return true;
};

/** Asks for packages, a few at a time. What was taken and not answered is given back. */
const askAll = async (run: Run, taken: readonly RegistryPackage[]): Promise<void> => {
  const waiting = [...taken];
  const failed: RegistryPackage[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      run.signal.throwIfAborted();
      if (!(await askOne(run, next))) failed.push(next);
      if (run.isRefused) return;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  if (!run.isRefused) return;
  const { clientId } = run;
  await run.deps.database.forClient(clientId, async (db) => {
    await postponePackages(db, { clientId, packages: failed, inSeconds: AFTER_FAILURE_SECONDS });
    await postponePackages(db, { clientId, packages: waiting, inSeconds: 0 });
  });
};

const releasesOf = (chunk: readonly UsedPackage[], known: readonly KnownPackage[]) => {
  const byKey = new Map(known.map((one) => [keyOf(one), one]));
  const releases = new Map<string, Release | undefined>();
  for (const used of chunk) {
    const versions = byKey.get(keyOf(used))?.versions ?? undefined;
    for (const component of used.components) {
      releases.set(component.digest, versions === undefined ? undefined : releaseOf(component, versions));
    }
  }
  return releases;
};

/** Asks for what is due of a chunk, and writes what is known of its components. @returns when the first of it is to be asked again. */
const lookUpChunk = async (run: Run, chunk: readonly UsedPackage[]): Promise<number> => {
  const { deps, clientId } = run;
  const { database } = deps;
  if (!run.isRefused && run.asked < MOST_OF_A_RUN) {
    const taken = await database.forClient(clientId, async (db) => {
      await addPackages(db, { clientId, packages: chunk });
      return claimPackages(db, { clientId, packages: chunk });
    });
    await askAll(run, taken);
  }
  const known = await database.forClient(clientId, async (db) => {
    const all = await readPackages(db, { clientId, packages: chunk });
    await writeReleases(db, { clientId, releases: releasesOf(chunk, all) });
    return all;
  });
  return known.length < chunk.length ? 0 : Math.min(...known.map(({ ask_at }) => ask_at.getTime()));
};

interface Begun {
  requests: number;
  components: UsedComponent[];
  excluded: string[];
}

/** Nothing where it is not due, or the organisation does not want it: then it is not asked for again. */
const begin = (database: DatabaseHandle, { clientId, repositoryId }: RepositoryRef): Promise<Begun | undefined> =>
  database.forClient(clientId, async (db) => {
    const subject = { clientId, key: repositoryId };
    const lookup = await versionLookups.read(db, subject);
    if (lookup?.isDue !== true) return undefined;
    const { requests } = lookup;
    const { isEnabled, excluded } = await readLookupSettings(db, clientId);
    if (isEnabled) return { requests, excluded, components: await listUsedComponents(db, { clientId, repositoryId }) };
    await versionLookups.finish(db, subject, { requests, change: {} });
    return undefined;
  });

/** When the application is looked at again: once something of it may be asked for and the service takes questions; at least once a day. */
const secondsUntil = (moment: number): number =>
  Math.ceil(Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, (moment - Date.now()) / 1000)));

/**
 * Asks the service for the packages of one application that were not asked for today, and writes how old its components are. Every answer is
 * stored by itself: a killed run is done again and goes on with those that have none. @returns how many were asked; undefined: nothing to do.
 */
export const lookUpVersions = async (
  deps: VersionLookupDeps,
  repository: RepositoryRef,
  signal: AbortSignal,
): Promise<number | undefined> => {
  const { database } = deps;
  const begun = await begin(database, repository);
  if (begun === undefined) return undefined;
  const { clientId } = repository;
  const { packages, others } = groupByPackage(begun.components, begun.excluded);
  const pause = await readPause(database);
  const run: Run = { deps, clientId, signal, asked: 0, isRefused: pause.until > Date.now() };
  let next = Date.now() + MOST_SECONDS * 1000;
  for (let from = 0; from < packages.length; from += CHUNK) {
    signal.throwIfAborted();
    next = Math.min(next, await lookUpChunk(run, packages.slice(from, from + CHUNK)));
  }
  if (run.isRefused) next = Math.max(next, (await readPause(database)).until);
  else if (run.asked > 0 && pause.failures > 0) await writePause(database, { inSeconds: 0, failures: 0 });
  await database.forClient(clientId, async (db) => {
    await writeReleases(db, { clientId, releases: others });
    await removeUnused(db, clientId);
    const subject = { clientId, key: repository.repositoryId };
    const now = await versionLookups.lock(db, subject);
    // an inventory that came meanwhile is looked at at once
    if (now?.requests !== begun.requests) return;
    await versionLookups.schedule(db, subject, { inSeconds: secondsUntil(next), change: {} });
  });
  return run.asked;
};

/** Looks one application up. One at a time, so that the service has four requests of this process at most. */
export const lookUpVersionsOf = defineJob({
  name: 'versions.look-up',
  input: RepositoryRef,
  key: ({ clientId, repositoryId }) => `${clientId} ${repositoryId}`,
  retry: { limit: 5 },
  concurrency: 1,
  ofDue: ({ clientId, key }) => ({ clientId, repositoryId: key }),
  run: async (deps: VersionLookupDeps, { data, signal }) => {
    const asked = await lookUpVersions(deps, data, signal);
    if (asked !== undefined) deps.log.info({ repository: data.repositoryId, asked }, 'versions looked up');
  },
});

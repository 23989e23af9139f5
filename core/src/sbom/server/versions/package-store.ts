import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { LookupOutcome } from '../../model/lookup-answer.ts';
import type { PublishedVersions, Release } from '../../model/newest-published.ts';
import type { RegistryPackage } from '../../model/registry-package.ts';
import '../tables.ts';

/** How long one that is being asked for is left to who asks: a killed process lets go by then. */
const LEASE_SECONDS = 600;

interface PackageRequest {
  clientId: string;
  packages: readonly RegistryPackage[];
}

const given = (packages: readonly RegistryPackage[]) => sql`
  unnest(${packages.map(({ system }) => system)}::text[], ${packages.map(({ name }) => name)}::text[]) as g (system, name)`;

/** Adds what is not known yet. Key of looked_up_packages. */
export const addPackages = async (db: Db, { clientId, packages }: PackageRequest): Promise<void> => {
  await sql`
    insert into looked_up_packages (client_id, system, name)
    select ${clientId}::uuid, g.system, g.name from ${given(packages)} order by g.system, g.name
    on conflict do nothing`.execute(db);
};

/** Takes those of the packages that may be asked for now; nobody else gets them until their lease ends. Key of looked_up_packages. */
export const claimPackages = async (db: Db, { clientId, packages }: PackageRequest): Promise<RegistryPackage[]> => {
  const { rows } = await sql<RegistryPackage>`
    update looked_up_packages p set ask_at = now() + make_interval(secs => ${LEASE_SECONDS})
    from ${given(packages)}
    where p.client_id = ${clientId} and p.system = g.system and p.name = g.name and p.ask_at <= now()
    returning p.system, p.name`.execute(db);
  return rows;
};

export interface WrittenAnswer extends RegistryPackage {
  clientId: string;
  outcome: LookupOutcome;
  /** Only of those that were found; others keep what was known. */
  versions: PublishedVersions | null;
  askAgainSeconds: number;
}

export const writeAnswer = async (db: Db, answer: WrittenAnswer): Promise<void> => {
  const { clientId, system, name, outcome, versions, askAgainSeconds } = answer;
  await sql`
    update looked_up_packages set outcome = ${outcome}, answered_at = now(),
      ask_at = now() + make_interval(secs => ${askAgainSeconds}),
      versions = coalesce(${versions === null ? null : JSON.stringify(versions)}::jsonb, versions)
    where client_id = ${clientId} and system = ${system} and name = ${name}`.execute(db);
};

/** Of packages that were taken and not answered. */
export const postponePackages = async (
  db: Db,
  { clientId, packages, inSeconds }: PackageRequest & { inSeconds: number },
): Promise<void> => {
  await sql`
    update looked_up_packages p set ask_at = now() + make_interval(secs => ${inSeconds}) from ${given(packages)}
    where p.client_id = ${clientId} and p.system = g.system and p.name = g.name`.execute(db);
};

export interface KnownPackage extends RegistryPackage {
  outcome: LookupOutcome | null;
  answered_at: Date | null;
  ask_at: Date;
  versions: PublishedVersions | null;
}

/** What is known of packages. Key of looked_up_packages. */
export const readPackages = async (db: Db, { clientId, packages }: PackageRequest): Promise<KnownPackage[]> => {
  const { rows } = await sql<KnownPackage>`
    select p.system, p.name, p.outcome, p.answered_at, p.ask_at, p.versions
    from ${given(packages)} cross join lateral (
      select * from looked_up_packages p where p.client_id = ${clientId} and p.system = g.system and p.name = g.name
    ) p`.execute(db);
  return rows;
};

/** What is known of components, by digest; undefined removes it. What stays the same is not written. Key of component_releases. */
export const writeReleases = async (
  db: Db,
  { clientId, releases }: { clientId: string; releases: ReadonlyMap<string, Release | undefined> },
): Promise<void> => {
  const known = [...releases].flatMap(([digest, release]) => (release === undefined ? [] : [{ digest, ...release }]));
  const gone = [...releases].flatMap(([digest, release]) => (release === undefined ? [digest] : []));
  await sql`
    delete from component_releases r using unnest(${gone}::uuid[]) as g (digest)
    where r.client_id = ${clientId} and r.digest = g.digest`.execute(db);
  await sql`
    insert into component_releases as t (client_id, digest, released_on, newest_version, newest_released_on)
    select ${clientId}::uuid, g.digest, g.released_on, g.newest_version, g.newest_released_on
    from unnest(
      ${known.map(({ digest }) => digest)}::uuid[], ${known.map((one) => one.released_on)}::text[],
      ${known.map((one) => one.newest_version)}::text[], ${known.map((one) => one.newest_released_on)}::text[]
    ) as g (digest, released_on, newest_version, newest_released_on)
    order by g.digest
    on conflict (client_id, digest) do update
    set released_on = excluded.released_on, newest_version = excluded.newest_version, newest_released_on = excluded.newest_released_on
    where (t.released_on, t.newest_version, t.newest_released_on)
      is distinct from (excluded.released_on, excluded.newest_version, excluded.newest_released_on)`.execute(db);
};

const KEPT_DAYS = 30;

/** Removes what no inventory lists any more. Reads components_by_digest. */
export const removeUnused = async (db: Db, clientId: string): Promise<void> => {
  await sql`
    delete from component_releases r where r.client_id = ${clientId} and not exists (
      select from components c where c.client_id = r.client_id and c.digest = r.digest and c.removed_at is null)`.execute(
    db,
  );
  // what is in use is asked for at least once a week
  await sql`
    delete from looked_up_packages where client_id = ${clientId} and ask_at < now() - make_interval(days => ${KEPT_DAYS})`.execute(
    db,
  );
};

export interface UsedComponent {
  digest: string;
  purl: string;
  name: string;
  group_name: string | null;
  ecosystem: string | null;
  version: string | null;
}

/** Components of an application's inventories, each digest once. Index: components_of_repository. */
export const listUsedComponents = async (
  db: Db,
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
): Promise<UsedComponent[]> => {
  const { rows } = await sql<UsedComponent>`
    select distinct on (digest) digest, purl, name, group_name, ecosystem, version from components
    where client_id = ${clientId} and repository_id = ${repositoryId} and removed_at is null and purl is not null
    order by digest, last_seen desc, id`.execute(db);
  return rows;
};

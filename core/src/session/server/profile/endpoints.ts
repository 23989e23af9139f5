import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Static } from 'typebox';
import { AppError, type FieldIssue } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { type Caller, callerEndpoint, type Endpoint, streamedFileEndpoint } from '../../../platform/server/endpoint.ts';
import { getAvatar, type ProfileChange, updateProfile } from '../../api/profile-routes.ts';
import { usernameIssues } from '../../model/password-policy.ts';
import { refuseTakenName } from '../taken-names.ts';
import { type AvatarImage, type AvatarService, hashOfEmail } from './avatar-service.ts';
import { changedNames, localeIssues, readLocale } from './locale.ts';
import './tables.ts';

const DAY_SECONDS = 86_400;
/** After that a browser asks again for a picture that the service could not be asked for. */
const RETRY_SECONDS = 60;

export interface ProfileDeps {
  database: DatabaseHandle;
  /** Nothing where the operator configured none: people are shown by their initials. */
  avatars: AvatarService | undefined;
}

interface Person {
  clientId: string;
  id: string;
}

/** What is known of a member's picture; nothing for who is no active member. */
const readKnown = (database: DatabaseHandle, { clientId, id }: Person) =>
  database.forClient(clientId, (db) =>
    db
      .selectFrom('users')
      .leftJoin('avatars', (join) =>
        join.onRef('avatars.client_id', '=', 'users.client_id').onRef('avatars.user_id', '=', 'users.id'),
      )
      .select(['users.email', 'avatars.email_hash', 'avatars.image', 'avatars.media_type'])
      .select(
        sql<boolean>`coalesce(avatars.checked_at > now() - make_interval(secs => ${DAY_SECONDS}), false)`.as(
          'is_fresh',
        ),
      )
      .where('users.client_id', '=', clientId)
      .where('users.id', '=', id)
      .where('users.status', '=', 'active')
      .executeTakeFirst(),
  );

const store = (database: DatabaseHandle, { clientId, id }: Person, hash: string, found: AvatarImage | undefined) => {
  const columns = { email_hash: hash, image: found?.image ?? null, media_type: found?.mediaType ?? null };
  return database.forClient(clientId, (db) =>
    db
      .insertInto('avatars')
      .values({ client_id: clientId, user_id: id, ...columns })
      .onConflict((conflict) =>
        conflict.columns(['client_id', 'user_id']).doUpdateSet({ ...columns, checked_at: sql<Date>`now()` }),
      )
      .execute(),
  );
};

interface AvatarAnswer {
  picture: AvatarImage | undefined;
  /** How long a browser need not ask again. */
  maxAgeSeconds: number;
}

const answerFor = (picture: AvatarImage | undefined): AvatarAnswer => ({ picture, maxAgeSeconds: DAY_SECONDS });

/** The picture as it is stored, asked for anew once a day. A service that is away takes no picture from anybody. */
const readAvatar = async ({ database, avatars }: ProfileDeps, person: Person, log: Logger): Promise<AvatarAnswer> => {
  if (avatars === undefined) return answerFor(undefined);
  const known = await readKnown(database, person);
  if (known === undefined) return answerFor(undefined);
  const { image, media_type: mediaType } = known;
  const stored = image === null || mediaType === null ? undefined : { image, mediaType };
  const hash = hashOfEmail(known.email);
  if (known.is_fresh && known.email_hash === hash) return answerFor(stored);
  try {
    const found = await avatars.fetch(hash);
    await store(database, person, hash, found);
    return answerFor(found);
  } catch (error) {
    log.warn({ err: error }, 'the avatar service does not answer');
    return { picture: known.email_hash === hash ? stored : undefined, maxAgeSeconds: RETRY_SECONDS };
  }
};

/** What of the caller's own a request would make wrong. */
const issuesOf = (body: Static<typeof ProfileChange>, caller: Caller): FieldIssue[] => {
  const { username, ...locale } = body;
  const names = username === undefined ? [] : usernameIssues(username.trim(), caller.email);
  return [...names, ...localeIssues(locale)];
};

const updateEndpoint = (database: DatabaseHandle): Endpoint =>
  callerEndpoint(updateProfile)(async ({ caller, body, audit }) => {
    const { clientId, userId, email, role } = caller;
    const issues = issuesOf(body, caller);
    if (issues.length > 0) throw new AppError('validation_failed', undefined, { issues });
    const { username: name = caller.username, ...chosen } = body;
    const username = name.trim();
    const locale = await database
      .forClient(clientId, async (db) => {
        const before = await readLocale(db, caller);
        await db
          .updateTable('users')
          .set({ username, ...chosen })
          .where('client_id', '=', clientId)
          .where('id', '=', userId)
          .execute();
        const after = { ...before, ...chosen };
        const changed = changedNames(before, after);
        const isRenamed = username !== caller.username;
        audit({
          subject: username,
          details: {
            ...(isRenamed ? { from: caller.username, to: username } : {}),
            ...Object.fromEntries(changed.map((key) => [key, after[key]])),
          },
          isUnchanged: !isRenamed && changed.length === 0,
        });
        return after;
      })
      .catch(refuseTakenName);
    return { success: true, data: { _id: userId, email, username, role, locale } };
  });

/** The caller's own name, and pictures of the people of the organisation. */
export const createProfileEndpoints = (deps: ProfileDeps): Endpoint[] => {
  /** A list shows one person many times. */
  const underWay = new Map<string, Promise<AvatarAnswer>>();
  const once = (person: Person, log: Logger): Promise<AvatarAnswer> => {
    const key = `${person.clientId} ${person.id}`;
    const reading = underWay.get(key) ?? readAvatar(deps, person, log).finally(() => underWay.delete(key));
    underWay.set(key, reading);
    return reading;
  };
  return [
    updateEndpoint(deps.database),
    streamedFileEndpoint(getAvatar)(async ({ caller, params, reply, log }) => {
      const { picture, maxAgeSeconds } = await once({ clientId: caller.clientId, id: params.id }, log);
      // the own copy of the browser, so that a list asks once a day, also for who has none
      reply.header('Cache-Control', `private, max-age=${maxAgeSeconds}`);
      if (picture === undefined) throw new AppError('not_found', msg('There is no picture of this person.'));
      return { fileName: 'avatar', contentType: picture.mediaType, content: picture.image };
    }),
  ];
};

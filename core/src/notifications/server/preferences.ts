import type { Db } from '../../platform/server/database.ts';
import { type Caller, type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import * as routes from '../api/routes.ts';
import {
  type Channels,
  DEFAULT_CHANNELS,
  NOTIFICATION_TYPES,
  type NotificationType,
} from '../model/notification-types.ts';
import './tables.ts';

type Person = Pick<Caller, 'clientId' | 'userId'>;

/** Every type with the choice of one person. Reads notification_preferences by primary key. */
const readPreferences = async (db: Db, { clientId, userId }: Person) => {
  const rows = await db
    .selectFrom('notification_preferences')
    .select(['notification_type', 'in_app', 'email'])
    .where('client_id', '=', clientId)
    .where('user_id', '=', userId)
    .execute();
  const chosen = new Map(rows.map(({ notification_type, ...channels }) => [notification_type, channels]));
  return NOTIFICATION_TYPES.map((notification_type) => ({
    notification_type,
    ...(chosen.get(notification_type) ?? DEFAULT_CHANNELS),
  }));
};

/** What is left out stays: of two changes at once both stand. */
const writePreference = async (
  db: Db,
  { clientId, userId }: Person,
  type: NotificationType,
  change: Partial<Channels>,
) =>
  db
    .insertInto('notification_preferences')
    .values({ client_id: clientId, user_id: userId, notification_type: type, ...DEFAULT_CHANNELS, ...change })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'user_id', 'notification_type'])
        .doUpdateSet((of) =>
          Object.keys(change).length === 0 ? { in_app: of.ref('notification_preferences.in_app') } : change,
        ),
    )
    .returning(['notification_type', 'in_app', 'email'])
    .executeTakeFirstOrThrow();

/** Where notices reach a person. */
export const preferenceEndpoints: readonly Endpoint[] = [
  tenantEndpoint(routes.getPreferences)(async ({ db, caller }) => ({ data: await readPreferences(db, caller) })),
  tenantEndpoint(routes.savePreference)(async ({ db, caller, body }) => {
    const { notification_type, ...change } = body;
    return { success: true, data: await writePreference(db, caller, notification_type, change) };
  }),
];

import { randomUUID } from 'node:crypto';
import type { Role } from '@breakwater/core/platform/model/permissions.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import { hashPassword, openSession } from '@breakwater/core/session/server/index.ts';
import '@breakwater/core/clients/server/index.ts';

/** Of every test user. */
export const TEST_PASSWORD = 'Tr0ub4dor&3-horse';

export interface TestUser {
  id: string;
  clientId: string;
  email: string;
  username: string;
  role: Role;
  password: string;
  /** For `Authorization: Bearer`. */
  token: string;
}

/** One organisation with a user per role. The superadmin belongs to an organisation of its own. */
export interface TestUsers {
  clientId: string;
  organizationName: string;
  superadmin: TestUser;
  admin: TestUser;
  cyberoper: TestUser;
  developer: TestUser;
}

let hash: Promise<string> | undefined;

const makeClient = async (database: DatabaseHandle, organizationName: string): Promise<string> => {
  const { id } = await database.forIdentity((db) =>
    db.insertInto('clients').values({ organization_name: organizationName }).returning('id').executeTakeFirstOrThrow(),
  );
  return id;
};

/** Adds one user with an open session. */
export const createUser = async (database: DatabaseHandle, clientId: string, role: Role): Promise<TestUser> => {
  hash ??= hashPassword(TEST_PASSWORD);
  const password_hash = await hash;
  const username = `${role}-${randomUUID().slice(0, 8)}`;
  const email = `${username}@example.test`;
  return database.forIdentity(async (db) => {
    const { id } = await db
      .insertInto('users')
      .values({ client_id: clientId, email, username, password_hash, role })
      .returning('id')
      .executeTakeFirstOrThrow();
    const token = await openSession(db, {
      clientId,
      userId: id,
      username,
      remember: true,
      origin: { address: '127.0.0.1', agent: 'test', language: null },
      method: 'password',
    });
    return { id, clientId, email, username, role, password: TEST_PASSWORD, token };
  });
};

/** An organisation with users of all roles, signed in. Call it twice for two organisations. */
export const createUsers = async (
  database: DatabaseHandle,
  organizationName = 'Test Organisation',
): Promise<TestUsers> => {
  const clientId = await makeClient(database, organizationName);
  const platformId = await makeClient(database, 'Platform');
  const [superadmin, admin, cyberoper, developer] = await Promise.all([
    createUser(database, platformId, 'superadmin'),
    createUser(database, clientId, 'admin'),
    createUser(database, clientId, 'cyberoper'),
    createUser(database, clientId, 'developer'),
  ]);
  return { clientId, organizationName, superadmin, admin, cyberoper, developer };
};

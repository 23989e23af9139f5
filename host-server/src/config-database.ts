import type { Reader } from './config-reader.ts';

export interface DatabaseConfig {
  /** Nothing: the embedded PostgreSQL. */
  databaseUrl: string | undefined;
  /** The server itself, where `databaseUrl` names a pooler: for all that needs a session. */
  databaseDirectUrl: string | undefined;
  /** A streaming replica, for reads. */
  databaseReplicaUrl: string | undefined;
}

/** PostgreSQL's own addresses are wider than URLs: the host may be missing, as for a socket. */
const readAddress = (reader: Reader, name: string): string | undefined => {
  const text = reader.text(name);
  // the value may hold a password: it is not repeated
  if (text !== undefined && !/^postgres(ql)?:\/\/./.test(text))
    reader.issues.push(`${name} must be an address that begins with postgresql://.`);
  return text;
};

/** Where the database is reached. */
export const readDatabase = (reader: Reader): DatabaseConfig => {
  const databaseUrl = readAddress(reader, 'DATABASE_URL');
  const databaseDirectUrl = readAddress(reader, 'DATABASE_DIRECT_URL');
  const databaseReplicaUrl = readAddress(reader, 'DATABASE_REPLICA_URL');
  if (databaseUrl === undefined && databaseReplicaUrl !== undefined)
    reader.issues.push('DATABASE_REPLICA_URL needs DATABASE_URL, which names the server that it replicates.');
  if (databaseUrl === undefined && databaseDirectUrl !== undefined)
    reader.issues.push('DATABASE_DIRECT_URL needs DATABASE_URL, which names the pooler in front of it.');
  return { databaseUrl, databaseDirectUrl, databaseReplicaUrl };
};

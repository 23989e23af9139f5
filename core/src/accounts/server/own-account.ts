import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { FORMER_MEMBER } from '../../platform/model/former-member.ts';
import { msg } from '../../platform/model/message.ts';
import { recordAudit } from '../../platform/server/audit.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import {
  type Caller,
  type Endpoint,
  inPieces,
  streamedFileEndpoint,
  tenantEndpoint,
} from '../../platform/server/endpoint.ts';
import type { PersonalData, PersonalRecords } from '../../platform/server/personal-data.ts';
import { type Handover, leaveByOneself } from '../../team/server/index.ts';
import { deleteOwnAccount, exportOwnData, getProofs } from '../api/own-account-routes.ts';
import { describeProofs, type ProofDeps, requireProof } from './require-proof.ts';

export interface OwnAccountDeps extends ProofDeps {
  database: DatabaseHandle;
  handovers: readonly Handover[];
  /** Of every slice that keeps something about people. */
  personalData: readonly PersonalData[];
}

type Person = Pick<Caller, 'clientId' | 'userId' | 'email'>;

const jsonOf = (record: object): string => JSON.stringify(record);

/** One list of the document, in short transactions. */
async function* listOf(database: DatabaseHandle, person: Person, part: PersonalRecords, signal: AbortSignal) {
  let after: string | undefined;
  let between = '\n';
  do {
    signal.throwIfAborted();
    const from = after;
    const { records, next } = await database.forClient(person.clientId, (db) => part.read(db, person, from));
    for (const record of records) {
      yield `${between}${jsonOf(record)}`;
      between = ',\n';
    }
    after = next;
  } while (after !== undefined);
}

async function* documentOf(deps: OwnAccountDeps, person: Person, signal: AbortSignal): AsyncGenerator<string> {
  yield `{"format":"breakwater-personal-data","version":1,"created_at":${JSON.stringify(new Date().toISOString())}`;
  for (const part of deps.personalData.flatMap(({ records }) => records)) {
    yield `,\n${JSON.stringify(part.name)}:[`;
    yield* listOf(deps.database, person, part, signal);
    yield ']';
  }
  yield '}\n';
}

/** Takes the person's name out of the audit log, which only the database itself may do, and marks the account. @returns what they were called */
const eraseFromAuditLog = async (db: Db, userId: string): Promise<string[]> => {
  const { rows } = await sql<{ names: string[] }>`select erase_from_audit_log(${userId}) as names`.execute(db);
  return rows[0]?.names ?? [];
};

const requireAddress = (typed: string, { email }: Person): void => {
  if (typed.trim().toLowerCase() === email.toLowerCase()) return;
  const text = msg('This is not the address of your account.');
  throw new AppError('validation_failed', text, { issues: [{ loc: ['body', 'email'], msg: text, type: 'email' }] });
};

/**
 * Deletes the caller's account in one transaction: all of it or nothing. What was theirs alone goes; what others need stays and shows "Former
 * member". @throws conflict, not_authenticated
 */
const deleteAccount = async (db: Db, deps: OwnAccountDeps, caller: Caller): Promise<void> => {
  const { clientId, userId, email } = caller;
  let names: string[] = [];
  await leaveByOneself(db, caller, {
    handovers: deps.handovers,
    vault: deps.vault,
    before: async () => {
      names = await eraseFromAuditLog(db, userId);
    },
  });
  const person = { clientId, userId, email, names };
  for (const { erase } of deps.personalData) await erase?.(db, person);
};

/** What people do with their own data: download all of it, and delete their account. Source: GDPR articles 15, 17 and 20. */
export const ownAccountEndpoints = (deps: OwnAccountDeps): Endpoint[] => [
  streamedFileEndpoint(exportOwnData)(({ caller, signal, audit }) => {
    audit({ subject: caller.username, details: {} });
    const fileName = `breakwater-personal-data-${new Date().toISOString().slice(0, 10)}.json`;
    return { fileName, contentType: 'application/json', content: inPieces(documentOf(deps, caller, signal)) };
  }),
  tenantEndpoint(getProofs)(async ({ db, caller }) => ({ success: true, data: await describeProofs(db, caller) })),
  tenantEndpoint(deleteOwnAccount)(async ({ db, caller, body, reply, audit, origin, log }) => {
    requireAddress(body.email, caller);
    await requireProof(db, deps, caller, body);
    await deleteAccount(db, deps, caller);
    // written here: the HTTP layer would name the person again
    audit({ isUnchanged: true });
    await recordAudit(db, {
      clientId: caller.clientId,
      kind: 'account.deleted',
      actor: { type: 'person', id: caller.userId, name: FORMER_MEMBER },
      origin,
      details: { role: caller.role },
    });
    reply.clearSessionCookie();
    log.info({ user_id: caller.userId }, 'an account was deleted by its owner');
    return { success: true };
  }),
];

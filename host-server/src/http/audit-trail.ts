import type { RouteDefinition } from '@breakwater/core/platform/api/contract.ts';
import { actorOf, recordAudit } from '@breakwater/core/platform/server/audit.ts';
import type { Db } from '@breakwater/core/platform/server/database.ts';
import type { AuditNote, Caller, HandlerInput } from '@breakwater/core/platform/server/endpoint.ts';

type Input = HandlerInput<unknown, unknown, unknown>;

const textsOf = (value: unknown): string[] =>
  typeof value === 'object' && value !== null ? Object.values(value).filter((one) => typeof one === 'string') : [];

/** Of a body only which fields it names: values may be secrets. Of a download what was asked for. */
const detailsOf = (route: RouteDefinition, { body, request }: Input) => {
  if (route.responseKind === 'file') return { path: request.url ?? '' };
  return typeof body === 'object' && body !== null ? { fields: Object.keys(body) } : {};
};

/** What a call leaves in the audit log: `audit` is the handler's, `write` adds the entry once it has succeeded. */
export const createAuditTrail = (
  route: RouteDefinition,
  input: Input,
  caller: Caller,
): { audit: HandlerInput<unknown, unknown, unknown>['audit']; write: ((db: Db) => Promise<void>) | undefined } => {
  const note: AuditNote = {};
  const { audit: kind } = route;
  return {
    audit: (more) => void Object.assign(note, more),
    write:
      kind === undefined
        ? undefined
        : async (db) => {
            if (note.isUnchanged === true) return;
            await recordAudit(db, {
              clientId: caller.clientId,
              kind,
              actor: actorOf(caller),
              origin: input.origin,
              subject: note.subject ?? textsOf(input.params).join(' '),
              details: note.details ?? detailsOf(route, input),
            });
          },
  };
};

import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { type Endpoint, publicEndpoint, publicFileEndpoint } from '../../platform/server/endpoint.ts';
import { getServiceMetadata, receiveAssertion } from '../api/routes.ts';
import type { ProvenIdentity } from '../model/identity.ts';
import { serviceAddresses } from '../model/settings.ts';
import type { SingleSignOnDeps } from './deps.ts';
import { readProvider, redeemResponse } from './providers.ts';
import { NOT_BEGUN, refusal } from './refusal.ts';
import { keepResult, rememberAssertion, takeRequest } from './requests.ts';
import { serviceMetadata, stateOf } from './saml/saml-provider.ts';

/** Responses have some 10 kB. */
const MAX_BODY_BYTES = 400_000;

const FIELDS: readonly string[] = ['SAMLResponse', 'RelayState'];

/** @throws payload_too_large, bad_request where it has other fields than the binding */
const readForm = async (request: IncomingMessage): Promise<URLSearchParams> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request) {
    if (!Buffer.isBuffer(piece)) continue;
    size += piece.length;
    if (size > MAX_BODY_BYTES) throw new AppError('payload_too_large');
    pieces.push(piece);
  }
  const form = new URLSearchParams(Buffer.concat(pieces).toString('utf8'));
  if ([...form.keys()].some((name) => !FIELDS.includes(name)))
    throw new AppError(
      'bad_request',
      say('The form of a SAML response has the fields {fields} alone.', { fields: FIELDS.join(' and ') }),
    );
  return form;
};

/** Verifies a response that answers a sign-in. @throws single_sign_on_refused */
const verifyResponse = async (
  deps: SingleSignOnDeps,
  { clientId, state, encoded }: { clientId: string; state: string; encoded: string },
): Promise<ProvenIdentity> => {
  const provider = await deps.database.forClient(clientId, (db) => readProvider(deps, db, clientId));
  const { identity, assertionId, expiresAt } = await redeemResponse(provider, state, encoded);
  const assertion = { id: assertionId, expiresAt };
  if (await deps.database.forClient(clientId, (db) => rememberAssertion(db, clientId, assertion))) return identity;
  throw refusal(msg('This assertion was used already.'));
};

const isRefusal = (error: unknown): error is AppError => error instanceof AppError && error.status < 500;

/** What became of a response. @returns the ticket that the browser ends the sign-in with; nothing where it answers none of ours */
const takeResponse = async (
  deps: SingleSignOnDeps,
  { clientId, encoded, log }: { clientId: string; encoded: string; log: Logger },
): Promise<string | undefined> => {
  const note = (error: AppError): void => {
    const reason = { client_id: clientId, reason: error.message, err: error.cause };
    log.warn(reason, 'a SAML response was refused');
  };
  try {
    const state = stateOf(encoded);
    // the cookie of the browser does not come with a form of another site: whoever brings the ticket is asked for it
    const pending = await deps.database.forClient(clientId, (db) => takeRequest(db, clientId, { state }));
    if (pending === undefined || pending.result !== null) throw refusal(NOT_BEGUN);
    const result = await verifyResponse(deps, { clientId, state, encoded }).then(
      (identity) => ({ identity }),
      (error: unknown) => {
        if (!isRefusal(error)) throw error;
        note(error);
        return { refusal: error.userMessage };
      },
    );
    return await deps.database.forClient(clientId, (db) => keepResult(db, clientId, { ...pending, result }));
  } catch (error) {
    if (!isRefusal(error)) throw error;
    note(error);
    return undefined;
  }
};

/** What a SAML identity provider reads and writes. */
export const samlEndpoints = (deps: SingleSignOnDeps): Endpoint[] => [
  publicEndpoint(receiveAssertion)(async ({ params, request, reply, remoteAddress, log }) => {
    await deps.attempts.take(remoteAddress);
    const { client_id: clientId } = params;
    const page = new URL(serviceAddresses(deps.origin, clientId).redirectUri);
    const form = await readForm(request);
    const encoded = form.get('SAMLResponse') ?? '';
    // a person looks at the answer: the page says what became of it
    page.searchParams.set('ticket', (await takeResponse(deps, { clientId, encoded, log })) ?? 'none');
    reply.status(303);
    reply.header('Location', `${page.pathname}${page.search}`);
    return {};
  }),
  publicFileEndpoint(getServiceMetadata)(({ params }) => {
    const content = serviceMetadata(serviceAddresses(deps.origin, params.client_id));
    return { fileName: 'breakwater-metadata.xml', contentType: 'application/samlmetadata+xml', content };
  }),
];

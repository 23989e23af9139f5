import { type ConnectionFailure, type ConnectorError, isConnectorError } from '@breakwater/sdk';
import { exchangeOAuth, OAuthRefusal, type OAuthTokens, usesProofKey } from '@breakwater/sdk/host';
import { AppError } from '../../../platform/model/app-error.ts';
import type { CatalogueEntry } from '../../../platform/model/connector-catalogue.ts';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import { visibleText } from '../../../platform/model/visible-text.ts';
import type { Db } from '../../../platform/server/database.ts';
import { readValues } from '../../model/credential-values.ts';
import { type Actor, type ConnectionActor, lockConnection } from '../connection/advance-connection.ts';
import { startCheck, startFirstCheck } from '../connection/connection-runs.ts';
import type { ConnectionKey } from '../connection/connection-store.ts';
import { isEntryConfigured, missingTitles } from '../connection/connector-item.ts';
import type { ConnectionsDeps } from '../connection/deps.ts';
import { knownClient } from '../connection/oauth-client.ts';
import { readConnection } from '../connection/read-connections.ts';
import { runCheck } from '../runs/run-check.ts';
import { serviceAddress } from './begin-consent.ts';
import { type Consenter, type PendingConsent, takeState } from './oauth-states.ts';

/** What the service sent the person back with. */
export interface ConsentAnswer {
  state: string | undefined;
  code: string | undefined;
  /** Its word for why not, and its sentence. */
  error: string | undefined;
  errorDescription: string | undefined;
  installationId: string | undefined;
}

interface Return {
  consenter: Consenter;
  actor: Actor;
  entry: CatalogueEntry;
  answer: ConsentAnswer;
}

export const EXCHANGE_FAILED = 'Failed to access token due to processing data. Please try again later!';
export const REFRESH_FAILED = 'Failed to refresh token due to processing data. Please try again later!';

const NOT_OURS = msg(
  'This sign-in was not begun in this session, was used already or is older than ten minutes. Begin it again from the connector.',
);

/** A failure as the specification writes it (§8): the service's own words where it said some. */
export const exchangeFailure = (
  error: string,
  description: string = EXCHANGE_FAILED,
  options: { errorUri?: string; cause?: unknown } = {},
): AppError =>
  new AppError('token_exchange_failed', description, {
    exchange: { error, errorUri: options.errorUri ?? '' },
    ...(options.cause === undefined ? {} : { cause: options.cause }),
  });

/** Says what a connector's service, or the way there, made of a request for tokens. */
export const refusedExchange = (error: ConnectorError, fallback: string): AppError => {
  const { cause } = error;
  if (!(cause instanceof OAuthRefusal)) return exchangeFailure(error.code, fallback, { cause: error });
  const uri = cause.uri === null ? {} : { errorUri: cause.uri };
  return exchangeFailure(cause.error, cause.description ?? fallback, { ...uri, cause: error });
};

/** The sign-in came to nothing: what was stored before goes on, if it suffices. @returns the check of it that has begun. */
export const endConsent = async (
  deps: ConnectionsDeps,
  entry: CatalogueEntry,
  conn: ConnectionActor,
  end: { event: 'DENIED' | 'EXPIRED'; message: string; actor: Actor | null },
): Promise<string | null> => {
  const { event, message, actor } = end;
  const failure: ConnectionFailure = { code: 'auth', message };
  const isStored = conn.state === 'authorizing' && isEntryConfigured(entry, conn.record);
  const facts = { authorizing_since: null, failure: isStored ? null : failure };
  if (!(await conn.transition({ type: event }, { actor, message, facts }))) return null;
  return isStored ? startFirstCheck(deps, entry, conn, actor) : null;
};

const end = async (
  deps: ConnectionsDeps,
  back: Return,
  event: 'DENIED' | 'EXPIRED',
  message: string,
): Promise<void> => {
  const { entry, actor, consenter } = back;
  const connectionKey = keyOf(back);
  const runId = await deps.database.forClient(consenter.clientId, async (db) =>
    endConsent(deps, entry, await lockConnection(db, connectionKey), { event, message, actor }),
  );
  if (runId !== null) await runCheck(deps, entry, { ...connectionKey, runId });
};

const keyOf = ({ consenter, entry }: Return): ConnectionKey => ({
  clientId: consenter.clientId,
  connectorId: entry.connector.id,
});

/** @throws token_exchange_failed, where nothing of the kind was begun by this person */
const redeem = async (deps: ConnectionsDeps, back: Return): Promise<PendingConsent> => {
  const { consenter, entry, answer } = back;
  const { state } = answer;
  if (state === undefined || state === '') throw exchangeFailure('invalid_state', NOT_OURS);
  const pending = await deps.database.forClient(consenter.clientId, (db) => takeState(db, consenter, state));
  if (pending === undefined) throw exchangeFailure('invalid_state', NOT_OURS);
  if (pending.isOver) {
    const message = sayEnglish('The sign-in at {title} was not finished within ten minutes.', {
      title: entry.connector.title,
    });
    if (pending.connectorId === entry.connector.id) await end(deps, back, 'EXPIRED', message);
    throw exchangeFailure('invalid_state', NOT_OURS);
  }
  // used up either way: it came back to an address that is not its own
  if (pending.connectorId !== entry.connector.id) throw exchangeFailure('invalid_state', NOT_OURS);
  return pending;
};

const MAX_WORDS = 300;

/** Text of an address, which anybody may write, fit for the history and a person. */
const shown = (text: string): string =>
  visibleText(text.toWellFormed())
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_WORDS);

/** The person, or the service, said no. */
const deny = async (deps: ConnectionsDeps, back: Return, error: string): Promise<never> => {
  const { title } = back.entry.connector;
  const isDenied = error === 'access_denied';
  const said = shown(back.answer.errorDescription ?? '');
  const message = isDenied
    ? sayEnglish('The sign-in at {title} was refused there.', { title })
    : sayEnglish('{title} ended the sign-in.', { title });
  await end(deps, back, 'DENIED', said === '' ? message : `${message} It says: "${said}"`);
  throw exchangeFailure(shown(error).slice(0, 100), said === '' ? message : said);
};

/** What the person brings, as fields of the form. @throws token_exchange_failed */
const broughtFields = (deps: ConnectionsDeps, { entry, answer }: Return): Record<string, string> => {
  const { auth, credentials } = entry.connector;
  if (answer.installationId === undefined || auth.type !== 'oauth2' || auth.installation === undefined) return {};
  const { field } = auth.installation;
  const { issues } = readValues(credentials, { [field]: answer.installationId }, deps.checkSchema);
  if (issues.length > 0)
    throw exchangeFailure('invalid_request', msg('The installation has an id that cannot be one.'));
  return { [field]: answer.installationId };
};

interface Brought {
  tokens: OAuthTokens | null;
  fields: Readonly<Record<string, string>>;
  /** Public fields while the service was asked: what it said is for the host that they name. */
  config: string;
}

const exchange = async (deps: ConnectionsDeps, back: Return, pending: PendingConsent): Promise<Brought> => {
  const { entry, answer } = back;
  const fields = broughtFields(deps, back);
  const { record, client } = await deps.database.forClient(back.consenter.clientId, async (db) => {
    const found = await readConnection(db, keyOf(back));
    return { record: found, client: await knownClient(deps, db, entry, found) };
  });
  const config = JSON.stringify(record.config);
  const { code, state = '' } = answer;
  if (code === undefined) return { tokens: null, fields, config };
  // an installation begins without a challenge, so its code is traded without the proof key
  const hasProof = pending.step === 'sign-in' && usesProofKey(entry.connector);
  const tokens = await exchangeOAuth(deps.gate, {
    ...serviceAddress(deps, entry, record),
    ...client,
    code,
    redirectUri: pending.redirectUri,
    ...(hasProof ? { verifier: deps.proofKeyOf(state) } : {}),
  });
  return { tokens, fields, config };
};

const storeTokens = async (deps: ConnectionsDeps, db: Db, back: Return, tokens: OAuthTokens): Promise<void> => {
  const { auth } = back.entry.connector;
  if (auth.type !== 'oauth2') return;
  const key = keyOf(back);
  const refresh = { ...key, field: auth.refreshField ?? 'refresh_token' };
  await deps.vault.put(db, { ...key, field: auth.tokenField ?? 'oauth_token' }, tokens.accessToken);
  // the one of an earlier sign-in belongs to another token
  if (tokens.refreshToken === undefined) await deps.vault.remove(db, refresh);
  else await deps.vault.put(db, refresh, tokens.refreshToken);
};

/** Stores what the person brought and begins the check, or says what is still missing. @returns the run that has begun */
const store = (deps: ConnectionsDeps, back: Return, brought: Brought): Promise<string | null> =>
  deps.database.forClient(back.consenter.clientId, async (db) => {
    const { entry, actor } = back;
    const conn = await lockConnection(db, keyOf(back));
    if (conn.state !== 'authorizing' || JSON.stringify(conn.record.config) !== brought.config) {
      throw exchangeFailure('invalid_state', msg('The connection was changed during the sign-in. Begin it again.'));
    }
    if (brought.tokens !== null) await storeTokens(deps, db, back, brought.tokens);
    await conn.update({
      config: JSON.stringify({ ...conn.record.config, ...brought.fields }),
      identity: null,
      scopes: [],
      authorizing_since: null,
      refreshed_at: null,
      ...(brought.tokens === null ? {} : { token_expires_at: brought.tokens.expiresAt ?? null }),
    });
    if (isEntryConfigured(entry, conn.record)) return checkStored(deps, entry, conn, actor);
    await conn.transition({ type: 'CALLBACK' }, { actor });
    const message = sayEnglish('Signed in. Still missing: {record}.', {
      record: missingTitles(entry, conn.record).join(', '),
    });
    await conn.transition({ type: 'FAIL', code: 'config', message });
    return null;
  });

const checkStored = async (
  { catalogue }: ConnectionsDeps,
  { connector }: CatalogueEntry,
  conn: ConnectionActor,
  actor: Actor,
): Promise<string | null> => {
  if (catalogue.capability('check', connector.id) !== null) return startCheck(conn, { type: 'CALLBACK' }, actor);
  await conn.transition({ type: 'CALLBACK' }, { actor });
  const first = conn.record.firstConnectedAt ?? new Date();
  await conn.transition({ type: 'OK' }, { actor, facts: { first_connected_at: first } });
  return null;
};

/**
 * Ends a sign-in with what the service sent the person back with: tokens are stored and checked. Opens its own transactions; the
 * service is asked outside them. @throws token_exchange_failed
 */
export const finishConsent = async (deps: ConnectionsDeps, back: Return): Promise<void> => {
  const pending = await redeem(deps, back);
  const { code, error, installationId } = back.answer;
  const isEmpty = code === undefined && (pending.step === 'sign-in' || installationId === undefined);
  if (error !== undefined) return deny(deps, back, error);
  if (isEmpty) return deny(deps, back, 'invalid_request');
  let runId: string | null;
  try {
    runId = await store(deps, back, await exchange(deps, back, pending));
  } catch (failure) {
    if (!isConnectorError(failure)) {
      if (failure instanceof AppError) await end(deps, back, 'DENIED', failure.userMessage);
      throw failure;
    }
    await end(deps, back, 'DENIED', failure.message);
    throw refusedExchange(failure, EXCHANGE_FAILED);
  }
  if (runId !== null) await runCheck(deps, back.entry, { ...keyOf(back), runId });
};

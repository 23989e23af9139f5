import {
  consentAddress,
  createEgressGate,
  type EgressGate,
  exchangeOAuth,
  type OAuthExchange,
  type OAuthTokens,
  type Outcome,
  refreshOAuth,
  revokeOAuth,
  runStep,
  usesProofKey,
} from '../../../host/index.ts';
import type { Exchange } from '../../fixtures.ts';
import { type FilledForm, fillForm } from './canary.ts';
import { differencesOf } from './exact-request.ts';
import { type SeenRequest, startFakeService } from './fake-service.ts';
import { playedAs, type Subject } from './subject.ts';

/** What the kit signs in with, so that recorded requests are the same for everybody. */
const CLIENT = { clientId: 'kit-client', clientSecret: 'kit-client-secret' };
const REDIRECT = 'https://breakwater.example/callback';
const STATE = 'kit-state';
const CODE = 'kit-code';
const VERIFIER = 'kit-verifier-kit-verifier-kit-verifier-kit-verifier';
const TIMEOUT_MS = 20_000;

/** One request to the service's OAuth addresses. */
export type TokenStep = { readonly name: 'exchange' } | { readonly name: 'refresh' | 'revoke'; readonly token: string };

/** What came of one. */
export interface TokenRun {
  readonly outcome: Outcome<OAuthTokens | null>;
  readonly seen: readonly SeenRequest[];
  /** How the request differs from the recorded one. */
  readonly inexact: readonly string[];
}

/** Where a person is sent to agree. @throws ConnectorError config */
export function consentOf(subject: Subject): string {
  const { connector } = subject;
  const { config } = fillForm(connector, subject.fixture);
  const place = { connector, config, redirectUri: REDIRECT, state: STATE, verifier: VERIFIER };
  return consentAddress({ ...place, clientId: CLIENT.clientId }).href;
}

/** Runs one step of a sign-in in the real runtime, against a fake service that answers it. */
export async function runTokenStep(
  subject: Subject,
  exchange: Exchange,
  { step, form }: { readonly step: TokenStep; readonly form: FilledForm },
): Promise<TokenRun> {
  const values = { ...form.config, ...form.secrets };
  const service = await startFakeService({
    values,
    exchanges: (url) => [
      playedAs(subject, exchange, { url, values, isOverride: false, root: '', request: exchange.request }),
    ],
  });
  const gate = createEgressGate({ allowPrivateHosts: false, trusted: [service.url.host] });
  try {
    const work = () => ask(gate, { subject, form, baseUrlOverride: service.url }, step);
    const outcome = await runStep(work, { timeoutMs: TIMEOUT_MS });
    return { outcome, seen: service.seen, inexact: inexactOf(exchange, service.seen, values) };
  } finally {
    await gate.close();
    await service.close();
  }
}

interface Place {
  readonly subject: Subject;
  readonly form: FilledForm;
  readonly baseUrlOverride: URL;
}

async function ask(gate: EgressGate, place: Place, step: TokenStep): Promise<OAuthTokens | null> {
  const { connector } = place.subject;
  const client = { connector, config: place.form.config, baseUrlOverride: place.baseUrlOverride, ...CLIENT };
  if (step.name === 'refresh') return refreshOAuth(gate, { ...client, refreshToken: step.token });
  if (step.name === 'revoke') {
    await revokeOAuth(gate, { ...client, token: step.token });
    return null;
  }
  const exchange: OAuthExchange = { ...client, code: CODE, redirectUri: REDIRECT };
  return exchangeOAuth(gate, usesProofKey(connector) ? { ...exchange, verifier: VERIFIER } : exchange);
}

function inexactOf(
  exchange: Exchange,
  seen: readonly SeenRequest[],
  values: Readonly<Record<string, unknown>>,
): string[] {
  return seen.flatMap((asked) => {
    const { method = 'GET', path } = exchange.request;
    if (asked.exchange === null) return [`${asked.method} ${asked.address}, recorded is ${method} ${path}`];
    return differencesOf(exchange.request, asked, values);
  });
}

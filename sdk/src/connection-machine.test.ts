import { describe, expect, it } from 'vitest';
import {
  type ConnectionEvent,
  canTransition,
  FAILURE_STATES,
  type GateState,
  gateOf,
  NO_CONNECTION,
  type StoredConnection,
  transition,
} from './connection-machine.ts';
import { CONNECTOR_ERROR_CODES, type ConnectorErrorCode } from './errors.ts';

const fail = (code: ConnectorErrorCode): ConnectionEvent => ({ type: 'FAIL', code, message: `failed: ${code}` });

it.each(CONNECTOR_ERROR_CODES)('goes by the code %s alone, from checking, connected and syncing', (code) => {
  for (const connection of ['checking', 'connected', 'syncing'] as const) {
    expect(transition({ ...NO_CONNECTION, connection }, fail(code)).connection).toBe(FAILURE_STATES[code]);
  }
});

describe('facts beside the state', () => {
  const checking: StoredConnection = { ...NO_CONNECTION, connection: 'checking' };
  const unreachable: ConnectionEvent = {
    type: 'FAIL',
    code: 'unreachable',
    message: 'No answer from git.example.com.',
    help: 'Is the host name right?',
    retryAt: '2026-11-21T10:00:00.000Z',
  };

  it('remembers why, when to come back, and how often it failed in a row', () => {
    const first = transition(checking, unreachable);
    expect(first).toEqual({
      connection: 'retrying',
      organisation: 'enabled',
      platform: 'enabled',
      health: 'sound',
      failure: { code: 'unreachable', message: 'No answer from git.example.com.', help: 'Is the host name right?' },
      retryAt: '2026-11-21T10:00:00.000Z',
      attempts: 1,
    });
    const again = transition(first, { type: 'BACKOFF' });
    expect(again).toMatchObject({ connection: 'checking', retryAt: null, attempts: 1 });
    expect(again.failure).not.toBeNull();
    expect(transition(again, unreachable).attempts).toBe(2);
  });

  it('forgets all of it on success', () => {
    const again = transition(transition(checking, unreachable), { type: 'BACKOFF' });
    expect(transition(again, { type: 'OK' })).toEqual({ ...NO_CONNECTION, connection: 'connected' });
  });

  it('counts attempts in a row only: a refusal is an answer', () => {
    const again = transition(transition(checking, unreachable), { type: 'BACKOFF' });
    expect(transition(again, fail('auth'))).toMatchObject({ connection: 'needsAuth', attempts: 0, retryAt: null });
  });

  it('keeps a time to come back only where it comes back by itself', () => {
    for (const code of CONNECTOR_ERROR_CODES) {
      const state = transition(checking, { type: 'FAIL', code, message: 'no', retryAt: '2026-11-21T10:00:00.000Z' });
      expect(state.retryAt !== null).toBe(state.connection === 'paused' || state.connection === 'retrying');
      expect(transition(state, { type: 'REMOVE' })).toEqual({ ...NO_CONNECTION, connection: 'removing' });
    }
  });

  it('keeps the failure through giving up, so that the card can say why', () => {
    const given = transition(transition(checking, unreachable), { type: 'GIVE_UP' });
    expect(given).toMatchObject({ connection: 'failed', retryAt: null, failure: { code: 'unreachable' } });
  });

  it('is plain JSON, so that a stored connection goes on after a restart', () => {
    const stored = transition(checking, unreachable);
    const restored: StoredConnection = JSON.parse(JSON.stringify(stored));
    expect(transition(restored, { type: 'BACKOFF' })).toEqual(transition(stored, { type: 'BACKOFF' }));
  });

  it('leaves a connection as it is when the event does not apply', () => {
    expect(transition(checking, { type: 'SYNC' })).toEqual(checking);
    expect(canTransition(checking, { type: 'SYNC' })).toBe(false);
    expect(canTransition(checking, { type: 'OK' })).toBe(true);
  });

  it('switches off and on without touching the connection', () => {
    const connected: StoredConnection = { ...NO_CONNECTION, connection: 'connected' };
    const quarantined = transition(connected, { type: 'CRASHES' });
    expect(quarantined).toEqual({ ...connected, health: 'quarantined' });
    expect(transition(quarantined, { type: 'RELEASE' })).toEqual(connected);
  });

  it.each<[StoredConnection, GateState]>([
    [NO_CONNECTION, 'open'],
    [{ ...NO_CONNECTION, health: 'quarantined' }, 'quarantined'],
    [{ ...NO_CONNECTION, health: 'quarantined', organisation: 'disabled' }, 'disabledByOrganisation'],
    [{ ...NO_CONNECTION, organisation: 'disabled', platform: 'disabled' }, 'disabledByPlatform'],
  ])('says the strongest reason why nothing runs: %#', (stored, gate) => {
    expect(gateOf(stored)).toBe(gate);
  });

  it('stays switched off by the one while the other switches on', () => {
    const both: StoredConnection = { ...NO_CONNECTION, organisation: 'disabled', platform: 'disabled' };
    expect(gateOf(transition(both, { type: 'ENABLE_BY_PLATFORM' }))).toBe('disabledByOrganisation');
    expect(gateOf(transition(both, { type: 'ENABLE_BY_ORGANISATION' }))).toBe('disabledByPlatform');
  });
});

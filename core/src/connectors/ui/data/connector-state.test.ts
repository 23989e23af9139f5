import { CONNECTION_STATES, GATE_STATES } from '@breakwater/sdk';
import { describe, expect, it } from 'vitest';
import {
  connectedGitea,
  failedWith,
  GITEA_FIELDS,
  giteaCard,
  reportCard,
} from '../../../testing/browser/connector-cards.ts';
import {
  allowedActions,
  isConnected,
  mainActionOf,
  needsAttention,
  readOnlyReason,
  statusOf,
} from './connector-state.ts';

const gate = (state: (typeof GATE_STATES)[number]) => ({ state, by: 'lead', at: null, reason: null });
const inState = (state: (typeof CONNECTION_STATES)[number]) =>
  giteaCard({ state, fields: GITEA_FIELDS, abilities: ['check', 'sync'] }).attributes;

describe('the state of a card', () => {
  it.each([
    ['absent', 'Not configured', 'set-up', false],
    ['draft', 'Not finished', 'set-up', false],
    ['authorizing', 'Waiting for sign-in', 'view', false],
    ['checking', 'Checking access', undefined, false],
    ['connected', 'Connected', 'manage', false],
    ['syncing', 'Pulling findings', 'manage', false],
    ['needsAuth', 'Needs re-authorisation', 'reconnect', true],
    ['paused', 'Paused', 'manage', false],
    ['retrying', 'Trying again', 'check', true],
    ['failed', 'Failed', 'check', true],
    ['removing', 'Being deleted', undefined, false],
  ] as const)('%s is "%s", offers %s', (state, word, action, isTroubled) => {
    const connector = inState(state);
    expect(statusOf(connector).word).toBe(word);
    expect(mainActionOf(connector, 'admin')).toBe(action);
    expect(needsAttention(connector)).toBe(isTroubled);
  });

  it('has a word and a shape for every state behind every gate', () => {
    const words = CONNECTION_STATES.flatMap((state) =>
      GATE_STATES.map((name) => statusOf({ ...inState(state), gate: gate(name) })),
    );
    expect(words).toHaveLength(44);
    expect(words.every(({ word, tone }) => word !== '' && tone !== undefined)).toBe(true);
  });

  it.each([
    ['disabledByOrganisation', 'Switched off'],
    ['disabledByPlatform', 'Switched off by the platform'],
    ['quarantined', 'In quarantine'],
  ] as const)('says %s before the state of the connection', (name, word) => {
    const connector = connectedGitea({ gate: gate(name) }).attributes;
    expect(statusOf(connector).word).toBe(word);
    expect(isConnected(connector)).toBe(false);
    expect(mainActionOf(connector, 'admin')).toBe('manage');
  });

  it('says "Disabled" before everything else, and offers the way round it', () => {
    const disabled = 'Live sync is not available; reports can be uploaded.';
    expect(statusOf(connectedGitea({ disabled, gate: gate('quarantined') }).attributes).word).toBe('Disabled');
    expect(mainActionOf(giteaCard({ disabled }).attributes, 'admin')).toBeUndefined();
    expect(mainActionOf(reportCard({ disabled }).attributes, 'admin')).toBe('upload');
    expect(mainActionOf(reportCard({ disabled }).attributes, 'superadmin')).toBeUndefined();
  });

  it('asks for a change where a field of the form was wrong', () => {
    const connector = giteaCard({ state: 'draft', state_detail: failedWith('config', 'No such host.') }).attributes;
    expect(statusOf(connector)).toMatchObject({ word: 'Needs a change', tone: 'warn' });
    expect(needsAttention(connector)).toBe(true);
  });

  it('calls nothing connected that has no service behind it', () => {
    const card = reportCard({ state: 'connected', was_connected: true }).attributes;
    expect(statusOf(card).word).toBe('Ready');
    expect(isConnected(card)).toBe(false);
    expect(mainActionOf(card, 'developer')).toBe('upload');
    // who works in no organisation has nowhere to upload to
    expect(mainActionOf(card, 'superadmin')).toBe('view');
  });
});

describe('what a person may do', () => {
  const allowed = (attributes: Parameters<typeof allowedActions>[0], role: Parameters<typeof allowedActions>[1]) =>
    Object.entries(allowedActions(attributes, role)).flatMap(([name, may]) => (may ? [name] : []));

  it.each([
    ['absent', ['edit', 'switchOff']],
    ['draft', ['edit', 'remove', 'switchOff']],
    ['authorizing', ['remove', 'switchOff']],
    ['checking', ['remove', 'switchOff']],
    ['connected', ['edit', 'check', 'sync', 'remove', 'switchOff']],
    ['syncing', ['remove', 'switchOff']],
    ['needsAuth', ['edit', 'remove', 'switchOff']],
    ['paused', ['edit', 'remove', 'switchOff']],
    ['retrying', ['edit', 'check', 'remove', 'switchOff']],
    ['failed', ['edit', 'check', 'remove', 'switchOff']],
    ['removing', ['switchOff']],
  ] as const)('in %s an admin may %s', (state, expected) => {
    expect(allowed(inState(state), 'admin')).toEqual(expected);
  });

  it('is nothing for a security operator and only the platform switch for a superadmin', () => {
    for (const state of CONNECTION_STATES) {
      expect(allowed(inState(state), 'cyberoper')).toEqual([]);
      expect(allowed(inState(state), 'superadmin')).toEqual(['platformSwitchOff']);
    }
    expect(readOnlyReason('cyberoper')).toContain('An admin');
    expect(readOnlyReason('admin')).toBeUndefined();
  });

  it('starts no work while a gate is closed', () => {
    const closed = GATE_STATES.filter((name) => name !== 'open');
    for (const name of closed) {
      for (const state of CONNECTION_STATES) {
        const can = allowedActions({ ...inState(state), gate: gate(name) }, 'admin');
        expect([can.check, can.sync]).toEqual([false, false]);
        expect(can.release).toBe(name === 'quarantined');
        expect(can.switchOn).toBe(name === 'disabledByOrganisation');
      }
    }
  });

  it('checks and pulls nothing that its maker disabled', () => {
    const can = allowedActions({ ...inState('connected'), disabled: 'Not available.' }, 'admin');
    expect([can.edit, can.check, can.sync, can.switchOff]).toEqual([true, false, false, false]);
  });
});

import { describe, expect, it } from 'vitest';
import { connectedGitea, giteaCard, reportCard } from '../../../testing/browser/connector-cards.ts';
import { type Answer, answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import type { ConnectorItem } from './connector.ts';
import { ConfettiStore, ConnectorsStore } from './connectors.store.ts';

const first = connectedGitea();

const loaded = async (answers: Record<string, Answer>, items: ConnectorItem[] = [giteaCard(), reportCard()]) => {
  const { api, calls } = fakeHttp({ 'GET /connectors': () => ({ data: items }), ...answers });
  const confetti = new ConfettiStore();
  const store = new ConnectorsStore(api, confetti);
  await store.load();
  return { store, confetti, calls, item: store.find('gitea')! };
};

describe('the catalogue', () => {
  it('shows what the server made of a save, and celebrates the first success once', async () => {
    const { store, confetti, item, calls } = await loaded({ 'PUT /connectors': () => ({ data: first }) });
    const saving = store.save(item, { port: 3000 });
    expect(store.workOn(item)).toBe('save');
    await saving;
    expect(store.workOn(item)).toBeUndefined();
    expect(calls.at(-1)).toMatchObject({
      path: '/connectors/source-control%2Fgitea',
      body: { values: { port: 3000 } },
    });
    expect(store.find('source-control/gitea')?.attributes.state).toBe('connected');
    expect([confetti.show, confetti.connectorTitle]).toEqual([true, 'Gitea']);
    confetti.end();
    await store.save(item, { port: 3001 });
    expect(confetti.show).toBe(false);
  });

  it('celebrates nothing that was connected before, nor what the first reading shows', async () => {
    const { store, confetti, item } = await loaded({ 'POST /connectors': () => ({ data: first }) }, [first]);
    await store.check(item);
    expect(confetti.show).toBe(false);
  });

  it('drops an answer that was asked for before a newer one came', async () => {
    let release: (value: object) => void = () => undefined;
    const { store, item } = await loaded({
      'GET /connectors/gitea': () => new Promise<object>((resolve) => (release = resolve)),
      'PUT /connectors': () => ({ data: first }),
    });
    const reading = store.refresh('gitea');
    await store.save(item, {});
    release({ data: giteaCard({ state: 'checking' }) });
    await reading;
    expect(store.find('gitea')?.attributes.state).toBe('connected');
  });

  it('keeps a card that was read while the whole catalogue was on its way', async () => {
    let release: (value: object) => void = () => undefined;
    let isSlow = false;
    const { store } = await loaded({
      'GET /connectors': () =>
        isSlow ? new Promise<object>((resolve) => (release = resolve)) : { data: [giteaCard(), reportCard()] },
      'GET /connectors/gitea': () => ({ data: first }),
    });
    isSlow = true;
    const reading = store.load();
    await store.refresh('gitea');
    release({ data: [giteaCard(), reportCard()] });
    await reading;
    expect(store.find('gitea')?.attributes.state).toBe('connected');
  });

  it('is free again after a refusal', async () => {
    const { store, item } = await loaded({
      'DELETE /connectors': () => answer(409, { detail: 'Findings are being pulled.', code: 'conflict' }),
    });
    await expect(store.remove(item)).rejects.toMatchObject({ code: 'conflict' });
    expect(store.workOn(item)).toBeUndefined();
  });

  it('moves each switch where it belongs, with a reason only where one was given', async () => {
    const { store, item, calls } = await loaded({
      'PUT /connectors': () => ({ data: first }),
      'PUT /platform': () => ({ success: true }),
      'GET /connectors/gitea': () => ({ data: first }),
    });
    await store.switch(item, { scope: 'organisation', enabled: false, reason: ' Audit ' });
    expect(calls.at(-1)).toMatchObject({
      path: '/connectors/source-control%2Fgitea/enabled',
      body: { enabled: false, reason: 'Audit' },
    });
    await store.switch(item, { scope: 'platform', enabled: true, reason: ' ' });
    expect(calls.at(-2)).toMatchObject({
      path: '/platform/connectors/source-control%2Fgitea/enabled',
      body: { enabled: true },
    });
  });
});

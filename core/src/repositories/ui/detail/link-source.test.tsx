import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { LinkSource } from './link-source.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';

const source = (id: string, title: string, is_connected: boolean) => ({
  _id: id,
  attributes: { title, count: 0, has_account: true, is_connected, problem: null },
});
const row = (id: string, name: string, extra: object = {}) => ({
  _id: id,
  attributes: {
    ...{ name, web_url: '', url: `https://gitea.test/${name}.git`, default_branch: 'main', is_private: true },
    ...{ is_archived: false, repository_id: null, problem: null, ...extra },
  },
});
const ROWS = [row('1', 'acme/a'), row('2', 'acme/juice-shop'), row('3', 'acme/imported', { repository_id: ID })];

const open = async (answers: Parameters<typeof fakeHttp>[0] = {}) => {
  const http = fakeHttp({
    'GET /sources_control': () => ({ data: [source('github', 'GitHub', false), source('gitea', 'Gitea', true)] }),
    'GET /sources_control/gitea/repositories': () => ({ data: ROWS, meta: { problem: null } }),
    ...answers,
  });
  const onLinked = vi.fn();
  const routes = [{ path: '/', element: <LinkSource id={ID} name="juice-shop" onLinked={onLinked} /> }];
  const page = renderPage({ api: http.api, at: '/', role: 'admin', routes });
  await userEvent.click(screen.getByRole('button', { name: 'Link to its repository' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Link juice-shop to its repository' }));
  return { ...page, dialog, onLinked, calls: http.calls };
};

afterEach(() => vi.restoreAllMocks());

it('offers what is not imported, first what is called alike, and links what was chosen', async () => {
  const { dialog, calls, onLinked, toasts } = await open({ [`PUT /repositories/${ID}/source`]: () => ({ data: {} }) });
  const options = within(await dialog.findByRole('listbox', { name: 'Repository' })).getAllByRole('option');
  expect(options.map(({ textContent }) => textContent)).toEqual(['acme/juice-shop', 'acme/a']);
  const button = dialog.getByRole<HTMLButtonElement>('button', { name: 'Link repository' });
  expect(button.disabled).toBe(true);
  await userEvent.click(dialog.getByRole('option', { name: 'acme/juice-shop' }));
  await userEvent.click(button);
  await vi.waitFor(() => expect(onLinked).toHaveBeenCalledOnce());
  expect(calls.at(-1)?.body).toEqual({ source_control: 'gitea', external_id: '2' });
  expect(toasts.toasts.map(({ message }) => message)).toEqual(['juice-shop is linked to its repository']);
});

it('keeps the choice where the server refuses, and says why', async () => {
  const { dialog, onLinked, toasts } = await open({
    [`PUT /repositories/${ID}/source`]: () => answer(409, { detail: 'It is here already.', code: 'conflict' }),
  });
  await userEvent.click(await dialog.findByRole('option', { name: 'acme/a' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Link repository' }));
  await vi.waitFor(() => expect(toasts.toasts.map(({ message }) => message)).toEqual(['It is here already.']));
  expect(onLinked).not.toHaveBeenCalled();
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Link repository' }).disabled).toBe(false);
});

it('leads to the connectors where no source control is connected', async () => {
  const { dialog } = await open({ 'GET /sources_control': () => ({ data: [source('github', 'GitHub', false)] }) });
  expect((await dialog.findByRole('link', { name: 'Connect one' })).getAttribute('href')).toBe('/connector/providers');
});

import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Answer } from '../../testing/browser/fake-http.ts';
import { answer } from '../../testing/browser/fake-http.ts';
import { createScene, memoryStorage, pageOf, SESSION_ANSWER, USER } from '../../testing/browser/shell-scene.tsx';
import { routes } from './routes.tsx';

const TOKEN = 'a+b/c=';
const ADDRESS = `/microsoft-marketplace?token=${encodeURIComponent(TOKEN)}`;
const PURCHASE = {
  name: 'Breakwater for Harbour',
  offer_id: 'breakwater-saas',
  plan_id: 'team',
  plan_title: 'Team',
  quantity: 5,
  status: 'PendingFulfillmentStart',
  term_end: null,
};

afterEach(cleanup);

const page = (path: string, layout: 'guest' | 'home') => ({ path, layout, title: path, load: pageOf(path) });

const open = async (role: string | undefined, address: string, answers: Record<string, Answer> = {}) => {
  const storage = memoryStorage();
  const session = { ...SESSION_ANSWER, data: { ...SESSION_ANSWER.data, user: { ...USER, role } } };
  const scene = createScene({
    storage,
    answers: {
      'GET /session': () => (role === undefined ? answer(401, { detail: 'No.', code: 'not_authenticated' }) : session),
      'GET /setup': () => ({ data: { needed: false } }),
      'POST /logout': () => ({ success: true }),
      'GET /microsoft-marketplace/payment-completion': () => ({ data: { _id: 'x', attributes: PURCHASE } }),
      ...answers,
    },
    entries: [
      ...routes.filter((entry) => 'path' in entry && entry.path === '/microsoft-marketplace'),
      ...[page('/', 'home'), page('/login', 'guest'), page('/plan-pricings', 'guest')],
    ],
  });
  if (role !== undefined) await scene.session.load();
  return { ...scene, router: scene.show(address) };
};

const addressOf = ({ router }: Awaited<ReturnType<typeof open>>) =>
  `${router.state.location.pathname}${router.state.location.search}`;

test('a missing token leads to the first page', async () => {
  const view = await open('admin', '/microsoft-marketplace');
  await waitFor(() => expect(addressOf(view)).toBe('/'));
});

test('who is not signed in is told that the subscription is on hold, and signs in with the token kept', async () => {
  const view = await open(undefined, ADDRESS);
  await waitFor(() => expect(addressOf(view)).toBe(`/login?next=${encodeURIComponent(ADDRESS)}`));
  expect(view.toasts.toasts.map(({ message }) => message)).toEqual([
    'Microsoft Marketplace Subscription On Hold You need to login before proceed activate subscription!',
  ]);
});

test.each(['developer', 'cyberoper', 'superadmin'])(
  '%s is signed out and told that it takes an admin',
  async (role) => {
    const view = await open(role, ADDRESS);
    await waitFor(() => expect(addressOf(view)).toBe(`/login?next=${encodeURIComponent(ADDRESS)}`));
    expect(view.session.isSignedIn).toBe(false);
    expect(view.toasts.toasts.map(({ message }) => message)).toEqual([
      'Permission Denied! You need to have a valid account role admin to proceed!',
    ]);
    expect(view.calls.some(({ path }) => path.includes('activate-subscription'))).toBe(false);
  },
);

test('an admin sees what was bought and activates it', async () => {
  const view = await open('admin', ADDRESS, {
    'POST /api/activate-subscription': () => ({ success: true, data: { tier: 'team', title: 'Team' } }),
  });
  expect((await screen.findByText('Plan')).nextElementSibling?.textContent).toBe('Team');
  expect(screen.getByText('Seats').nextElementSibling?.textContent).toBe('5');
  expect(screen.getByText('Organisation').nextElementSibling?.textContent).toBe('Harbour Ltd');
  await userEvent.click(screen.getByRole('button', { name: 'Activate subscription' }));
  await waitFor(() => expect(addressOf(view)).toBe('/plan-pricings'));
  expect(view.toasts.toasts.map(({ message }) => message)).toEqual(['Subscription activated successfully']);
  const [read, sent] = view.calls.filter(({ path }) => /payment-completion|activate/.test(path));
  expect(read?.query.get('token')).toBe(TOKEN);
  expect(sent?.body).toEqual({ token: TOKEN });
});

test('a failure is said with its reason, and can be tried again', async () => {
  const view = await open('admin', ADDRESS, {
    'POST /api/activate-subscription': () =>
      answer(409, { detail: 'This purchase belongs to another organisation.', code: 'conflict', request_id: 'r' }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Activate subscription' }));
  const failed = 'Failed to activate subscription. Please try again later or contact our administrator!';
  expect((await screen.findByRole('alert')).textContent).toBe(
    `${failed} This purchase belongs to another organisation.`,
  );
  expect(view.toasts.toasts.map(({ message }) => message)).toEqual([failed]);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Activate subscription' }).disabled).toBe(false);
});

test('a purchase that Microsoft does not know is said, and nothing can be activated', async () => {
  await open('admin', ADDRESS, {
    'GET /microsoft-marketplace/payment-completion': () =>
      answer(404, { detail: 'Its link is older than an hour.', code: 'link_invalid', request_id: 'r' }),
  });
  expect(await screen.findByText('The purchase could not be read')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Activate subscription' })).toBeNull();
});

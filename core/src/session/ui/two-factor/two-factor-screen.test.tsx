import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { RouteEntry } from '../../../shell/ui/routing/route-entry.ts';
import { type Answer, answer } from '../../../testing/browser/fake-http.ts';
import { createScene, memoryStorage, pageOf, SESSION_ANSWER } from '../../../testing/browser/shell-scene.tsx';
import { routes } from '../routes.tsx';

const ENTRIES: readonly RouteEntry[] = [
  ...routes,
  { path: '/findings', layout: 'home', title: 'Findings', load: pageOf('The findings') },
];
const SECRET = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';
const CODES = Array.from({ length: 10 }, (_value, index) => `AAAA-BBBB-CCCC-DDD${index}`);

const show = (address: string, { needs = false, isOn = false }, answers: Record<string, Answer> = {}) => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const storage = memoryStorage();
  storage.setItem('bw-is-login', '1');
  let enable_2fa = isOn;
  const scene = createScene({
    answers: {
      'GET /session': () => ({
        ...SESSION_ANSWER,
        data: { ...SESSION_ANSWER.data, ...(needs ? { needs_2fa: true } : {}) },
      }),
      'POST /user/check-2fa': () => ({
        success: true,
        data: { enable_2fa, require_2fa: needs, recovery_codes_left: enable_2fa ? 10 : 0 },
      }),
      'POST /user/configure-2fa': () => ({
        success: true,
        data: { qrcode: 'data:image/svg+xml;base64,PHN2Zy8+', otp_data: { secret: SECRET } },
      }),
      'POST /user/save-2fa': () => {
        enable_2fa = true;
        return { success: true, data: { recovery_codes: CODES } };
      },
      'POST /user/remove-2fa': () => {
        enable_2fa = false;
        return { success: true };
      },
      ...answers,
    },
    entries: ENTRIES,
    storage,
  });
  scene.show(address);
  return scene;
};

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test('who has to set it up is led there from every page, and back once the codes are kept', async () => {
  const { session } = show('/findings', { needs: true });
  await screen.findByText(/organisation requires two-factor/);
  await userEvent.click(screen.getByRole('button', { name: 'Set up two-factor' }));
  expect((await screen.findByRole('img', { name: /QR code/ })).getAttribute('src')).toMatch(/^data:image/);
  expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Code'), '123 456');
  await userEvent.click(screen.getByRole('button', { name: 'Switch on' }));
  const list = await screen.findByRole('list', { name: 'Recovery codes' });
  expect(list.textContent).toBe(CODES.join(''));
  await userEvent.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await navigator.clipboard.readText()).toBe(CODES.join('\n'));
  await userEvent.click(screen.getByRole('button', { name: 'I have kept them' }));
  await screen.findByRole('heading', { name: 'The findings' });
  expect(session.needsTwoFactor).toBe(false);
});

test('a wrong code keeps the page; the codes are gone once they were kept', async () => {
  const detail = [{ loc: ['body', 'otp_code'], msg: 'The code is wrong.', type: 'second_factor' }];
  const refuse: Answer = () => answer(422, { detail, code: 'validation_failed' });
  show('/settings/setup-2fa', {}, { 'POST /user/save-2fa': refuse });
  await userEvent.click(await screen.findByRole('button', { name: 'Set up two-factor' }));
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Switch on' }));
  expect((await screen.findAllByText('The code is wrong.')).length).toBeGreaterThan(0);
  cleanup();
  show('/settings/setup-2fa', {});
  await userEvent.click(await screen.findByRole('button', { name: 'Set up two-factor' }));
  await userEvent.type(await screen.findByLabelText('Code'), '123456');
  await userEvent.click(screen.getByRole('button', { name: 'Switch on' }));
  await userEvent.click(await screen.findByRole('button', { name: 'I have kept them' }));
  await screen.findByText('10 recovery codes left.');
  for (const secret of [SECRET, ...CODES]) expect(document.body.innerHTML).not.toContain(secret);
});

test('is switched off with a recovery code', async () => {
  const { calls } = show('/settings/setup-2fa', { isOn: true });
  await userEvent.click(await screen.findByRole('button', { name: 'Switch off' }));
  await userEvent.click(screen.getByRole('button', { name: 'Use a recovery code' }));
  await userEvent.type(await screen.findByLabelText('Recovery code'), CODES[0] ?? '');
  await userEvent.click(screen.getByRole('button', { name: 'Switch off' }));
  await screen.findByRole('button', { name: 'Set up two-factor' });
  await waitFor(() =>
    expect(calls.find(({ path }) => path === '/user/remove-2fa')?.body).toEqual({ recovery_code: CODES[0] }),
  );
});

import { describe, expect, it, vi } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import type { SessionPort } from '../navigation/shell-ports.ts';
import {
  authenticated,
  type Guard,
  insideOrganization,
  requires,
  requiresQuery,
  requiresToken,
  setupNeeded,
  signedOutOnly,
} from './guards.ts';

const sessionOf = (role: Role | undefined, isFresh = false, needsTwoFactor = false) => {
  const user = role === undefined ? undefined : { _id: '1', email: 'a@b.example', username: 'a', role };
  return {
    user,
    organizationName: undefined,
    isSignedIn: user !== undefined,
    needsTwoFactor,
    isCompact: false,
    setCompact: vi.fn(async () => undefined),
    load: vi.fn(async () => undefined),
    restore: vi.fn(async () => undefined),
    isSetupNeeded: vi.fn(async () => isFresh),
    signOut: vi.fn(async () => undefined),
  } satisfies SessionPort;
};

const check = async (guard: Guard, path: string, session: SessionPort) =>
  guard.check({ url: new URL(path, 'https://app.example'), session });

describe('authenticated', () => {
  it('lets signed-in people in', async () => {
    expect(await check(authenticated, '/findings', sessionOf('developer'))).toBeUndefined();
  });

  it('leads who has to set two-factor up there first, remembering the way', async () => {
    const session = sessionOf('developer', false, true);
    expect(await check(authenticated, '/findings?search=x', session)).toEqual({
      redirect: '/settings/setup-2fa?next=%2Ffindings%3Fsearch%3Dx',
    });
    expect(await check(authenticated, '/settings/setup-2fa?next=%2F', session)).toBeUndefined();
  });

  it('logs out and goes to sign-in, remembering the way', async () => {
    const session = sessionOf(undefined);
    expect(await check(authenticated, '/findings?search=x', session)).toEqual({
      redirect: '/login?next=%2Ffindings%3Fsearch%3Dx',
    });
    expect(session.signOut).toHaveBeenCalledTimes(1);
  });

  it('keeps a plain address for the home page', async () => {
    expect(await check(authenticated, '/', sessionOf(undefined))).toEqual({ redirect: '/login' });
  });

  it('goes to set-up on a fresh installation', async () => {
    expect(await check(authenticated, '/', sessionOf(undefined, true))).toEqual({ redirect: '/setup' });
  });
});

describe('signedOutOnly', () => {
  it('shows sign-in to strangers and sends signed-in people on', async () => {
    expect(await check(signedOutOnly, '/login', sessionOf(undefined))).toBeUndefined();
    expect(await check(signedOutOnly, '/login?next=%2Ffindings', sessionOf('admin'))).toEqual({
      redirect: '/findings',
    });
    expect(await check(signedOutOnly, '/login?next=%2F%2Fevil.example', sessionOf('admin'))).toEqual({ redirect: '/' });
    expect(await check(signedOutOnly, '/login', sessionOf(undefined, true))).toEqual({ redirect: '/setup' });
  });
});

describe('setupNeeded', () => {
  it('is open once', async () => {
    expect(await check(setupNeeded, '/setup', sessionOf(undefined, true))).toBeUndefined();
    expect(await check(setupNeeded, '/setup', sessionOf(undefined))).toEqual({ redirect: '/login' });
  });
});

describe('permissions', () => {
  it('keeps out who may not read connectors', async () => {
    await expect(check(requires('connectors.read'), '/connector/tools', sessionOf('developer'))).rejects.toMatchObject({
      status: 403,
    });
    expect(await check(requires('connectors.read'), '/connector/tools', sessionOf('cyberoper'))).toBeUndefined();
  });

  it.each(['admin', 'cyberoper', 'developer'] as const)('keeps a %s out of the list of clients', async (role) => {
    await expect(check(requires('clients.manage'), '/manage-clients', sessionOf(role))).rejects.toMatchObject({
      status: 403,
    });
  });

  it('lets a superadmin in, and leads them there from the pages of an organisation', async () => {
    expect(await check(requires('clients.manage'), '/manage-clients', sessionOf('superadmin'))).toBeUndefined();
    expect(await check(insideOrganization, '/findings', sessionOf('superadmin'))).toEqual({
      redirect: '/manage-clients',
    });
    expect(await check(insideOrganization, '/findings', sessionOf('developer'))).toBeUndefined();
  });
});

describe('required query', () => {
  it('refuses a guest page without its token', async () => {
    const wanted = { status: 403, message: "You don't have permission for this page." };
    await expect(check(requiresToken, '/accept-invite', sessionOf(undefined))).rejects.toMatchObject(wanted);
    await expect(check(requiresToken, '/accept-invite?token=', sessionOf(undefined))).rejects.toMatchObject(wanted);
    expect(await check(requiresToken, '/accept-invite?token=abc', sessionOf(undefined))).toBeUndefined();
  });

  it('says what is missing', async () => {
    const message = 'Source control not found. Check your setting on connector page';
    await expect(
      check(requiresQuery('source_control', 403, message), '/connector', sessionOf('admin')),
    ).rejects.toMatchObject({ status: 403, message });
  });
});

import { assign, fromPromise, setup } from 'xstate';
import { typesOf } from '../../../platform/ui/data/machine-types.ts';

export interface TwoFactorState {
  enable_2fa: boolean;
  require_2fa: boolean;
  recovery_codes_left: number;
}

export interface SetUpData {
  qrcode: string;
  otp_data: { secret: string };
}

export interface TwoFactorCalls {
  check: () => Promise<TwoFactorState>;
  configure: () => Promise<SetUpData>;
}

interface TwoFactorContext {
  calls: TwoFactorCalls;
  state: TwoFactorState | undefined;
  setUp: SetUpData | undefined;
  recoveryCodes: readonly string[];
  error: unknown;
}

type TwoFactorEvent =
  | { type: 'START' }
  | { type: 'RETRY' }
  | { type: 'CANCEL' }
  | { type: 'SAVED'; recoveryCodes: readonly string[] }
  | { type: 'KEPT' }
  | { type: 'REMOVE' }
  | { type: 'REMOVED' };

/** Two-factor of one person: off → configuring → scanning → keeping the recovery codes → on → removing → off. */
export const twoFactorMachine = setup({
  types: {
    context: typesOf<TwoFactorContext>(),
    events: typesOf<TwoFactorEvent>(),
    input: typesOf<TwoFactorCalls>(),
  },
  actors: {
    check: fromPromise<TwoFactorState, TwoFactorCalls>(({ input }) => input.check()),
    configure: fromPromise<SetUpData, TwoFactorCalls>(({ input }) => input.configure()),
  },
  guards: { isOn: ({ context }) => context.state?.enable_2fa === true },
  actions: { forgetSecrets: assign({ setUp: undefined, recoveryCodes: [] }) },
}).createMachine({
  id: 'two-factor',
  initial: 'checking',
  context: ({ input }) => ({ calls: input, state: undefined, setUp: undefined, recoveryCodes: [], error: undefined }),
  states: {
    checking: {
      invoke: {
        src: 'check',
        input: ({ context }) => context.calls,
        onDone: { target: 'known', actions: assign({ state: ({ event }) => event.output }) },
        onError: { target: 'failed', actions: assign({ error: ({ event }) => event.error }) },
      },
    },
    known: { always: [{ guard: 'isOn', target: 'on' }, { target: 'off' }] },
    failed: { on: { RETRY: 'checking' } },
    off: { on: { START: 'configuring' } },
    configuring: {
      invoke: {
        src: 'configure',
        input: ({ context }) => context.calls,
        onDone: { target: 'scanning', actions: assign({ setUp: ({ event }) => event.output }) },
        onError: { target: 'failed', actions: assign({ error: ({ event }) => event.error }) },
      },
    },
    scanning: {
      on: {
        SAVED: { target: 'keeping', actions: assign({ recoveryCodes: ({ event }) => event.recoveryCodes }) },
        CANCEL: { target: 'off', actions: 'forgetSecrets' },
      },
    },
    keeping: { on: { KEPT: { target: 'checking', actions: 'forgetSecrets' } } },
    on: { on: { REMOVE: 'removing' } },
    removing: { on: { CANCEL: 'on', REMOVED: 'checking' } },
  },
});

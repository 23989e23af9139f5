import { assign, setup } from 'xstate';
import { typesOf } from '../../platform/ui/data/machine-types.ts';

interface SignInContext {
  /** What the second step needs; empty until the first is done. */
  ticket: string;
  /** Whom single sign-on is asked for; empty where nobody is known yet. */
  email: string;
}

type SignInEvent =
  | { type: 'SIGNED_IN' }
  /** The password was right and a code is asked for. */
  | { type: 'CODE_WANTED'; ticket: string }
  /** The password does not count in their organisation. */
  | { type: 'SINGLE_SIGN_ON_WANTED'; email: string }
  | { type: 'USE_RECOVERY_CODE' }
  | { type: 'USE_CODE' }
  /** The server forgot the first step: it took too long. */
  | { type: 'TICKET_ENDED' }
  | { type: 'START_OVER' };

/** The way in: password → (code or recovery code) → signed in, or on to single sign-on. Late codes lead back to the password. */
export const signInMachine = setup({
  types: { context: typesOf<SignInContext>(), events: typesOf<SignInEvent>() },
  actions: { forgetTicket: assign({ ticket: '' }) },
}).createMachine({
  id: 'sign-in',
  initial: 'password',
  context: { ticket: '', email: '' },
  states: {
    password: {
      initial: 'first',
      on: {
        SIGNED_IN: 'signedIn',
        CODE_WANTED: { target: 'secondFactor', actions: assign({ ticket: ({ event }) => event.ticket }) },
        SINGLE_SIGN_ON_WANTED: { target: 'singleSignOn', actions: assign({ email: ({ event }) => event.email }) },
      },
      states: { first: {}, again: {} },
    },
    secondFactor: {
      initial: 'code',
      on: {
        SIGNED_IN: 'signedIn',
        TICKET_ENDED: { target: 'password.again', actions: 'forgetTicket' },
        START_OVER: { target: 'password', actions: 'forgetTicket' },
      },
      states: {
        code: { on: { USE_RECOVERY_CODE: 'recoveryCode' } },
        recoveryCode: { on: { USE_CODE: 'code' } },
      },
    },
    signedIn: { type: 'final' },
    singleSignOn: { type: 'final' },
  },
});

import { randomBytes } from 'node:crypto';

const TOKEN_BYTES = 24;

/** Last part of the address of a connection's deliveries: nobody guesses it, and it proves nothing. */
export const newHookToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

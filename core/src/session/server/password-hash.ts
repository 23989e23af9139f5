import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const run = promisify(argon2);

/** OWASP Password Storage Cheat Sheet, 2025: Argon2id with 19 MiB, 2 passes, 1 lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const PHC = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

/** Hash of a password in PHC form, with its own salt and the cost inside. */
export const hashPassword = async (password: string): Promise<string> => {
  const nonce = randomBytes(16);
  const tag = await run('argon2id', { message: password, nonce, ...COST });
  return `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$${base64(nonce)}$${base64(tag)}`;
};

/** Whether the password made this hash. A hash that cannot be read fits no password. */
export const verifyPassword = async (password: string, phc: string): Promise<boolean> => {
  const [, memory, passes, parallelism, salt, expected] = PHC.exec(phc) ?? [];
  if (salt === undefined || expected === undefined) return false;
  const wanted = Buffer.from(expected, 'base64');
  const tag = await run('argon2id', {
    message: password,
    nonce: Buffer.from(salt, 'base64'),
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    tagLength: wanted.length,
  });
  return timingSafeEqual(tag, wanted);
};

let standIn: Promise<string> | undefined;

/** Spends the time of a verification where there is no user, so that nobody learns who exists. */
export const pretendToVerify = async (password: string): Promise<false> => {
  standIn ??= hashPassword(randomBytes(16).toString('hex'));
  await verifyPassword(password, await standIn);
  return false;
};

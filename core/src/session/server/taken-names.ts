import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';

const constraintOf = (error: unknown): string =>
  error instanceof Error && 'constraint' in error && typeof error.constraint === 'string' ? error.constraint : '';

/** Names and e-mails are unique on the whole installation, which only the database sees. @throws validation_failed, conflict, else the error itself */
export const refuseTakenName = (error: unknown): never => {
  const constraint = constraintOf(error);
  if (constraint === 'users_username') {
    const text = msg('This username is taken. Choose another.');
    throw new AppError('validation_failed', text, {
      issues: [{ loc: ['body', 'username'], msg: text, type: 'username' }],
    });
  }
  if (constraint === 'users_email')
    throw new AppError('conflict', msg('This e-mail has an account already. Sign in with it.'));
  throw error;
};

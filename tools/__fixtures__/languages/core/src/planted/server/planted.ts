import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';

export const refused = () => new AppError('forbidden', 'It was refused.');
export const issue = { loc: ['body', 'name'], msg: 'Enter a name.', type: 'missing' };
export const marked = () => new AppError('forbidden', msg('State'));
export const counted = (count: number) => new AppError('conflict', `${count} are the most.`);
export const reason = { detail: 'No template fits.' };
export const steps = (name: string) => [`Upgrade ${name} first.`, msg('State'), say('{name} was removed', { name })];
export const bug = () => new Error('It cannot be.');
// no text: goes to the repository
export const comment = 'Fixed by a scan.';

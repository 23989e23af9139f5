import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';

export const refused = () => new AppError('forbidden', 'It was refused.');
export const issue = { loc: ['body', 'name'], msg: 'Enter a name.', type: 'missing' };
export const marked = () => new AppError('forbidden', msg('State'));
export const counted = (count: number) => new AppError('conflict', `${count} are the most.`);

import { msg } from './message.ts';

/** What stands in place of a person's name once their account is deleted. Stored in English; screens translate it. */
export const FORMER_MEMBER = msg('Former member');

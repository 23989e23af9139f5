import type { Notify } from '../../notify/notify.ts';
import type { Mapper } from '../document.ts';
import { actOnce } from './act.ts';
import { messageScope } from './action-texts.ts';
import type { NotifyDocument } from './actions.ts';

/** Tells a channel what happens, as `actions.notify` of the document says. */
export const createNotify = (document: NotifyDocument, mapper: Mapper): Notify => ({
  send: async ({ http, config }, message) => {
    const scope = await messageScope(document, message);
    await actOnce({ http, config, mapper }, { ...document, part: 'actions.notify', scope });
  },
});

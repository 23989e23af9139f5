import { useEffect, useMemo, useRef, useState } from 'react';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { UNSAVED_TEXTS } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { COMMANDS } from '../../../shell/ui/navigation/commands.store.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { PeopleStore } from '../../../team/ui/index.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import type { FindingsList } from './findings-context.ts';
import { type CursorRow, type ListCursor, useListCursor } from './list-cursor.ts';
import { SelectionStore } from './selection.store.ts';
import { type Target, TriageStore } from './triage.store.ts';

/** `x` with Shift. */
const RANGE_KEY = 'X';

/** Whether there is a developer to send findings to; until that is known nothing is offered. */
const useCanAssign = (mayDecide: boolean): boolean => {
  const api = useService(API);
  const [hasDevelopers, setHasDevelopers] = useState(false);
  useEffect(() => {
    if (!mayDecide) return undefined;
    let isGone = false;
    const people = new PeopleStore(api);
    void people.load().then(() => {
      if (!isGone) setHasDevelopers((people.developers ?? []).length > 0);
    });
    return () => {
      isGone = true;
    };
  }, [api, mayDecide]);
  return mayDecide && hasDevelopers;
};

/** What people decide in this list, and whether this person may. */
export const useTriage = (
  list: FindingsStore,
): Pick<FindingsList, 'triage' | 'selection' | 'mayDecide' | 'mayFix' | 'canAssign'> => {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const unsaved = useService(UNSAVED_TEXTS);
  const { user } = useService(SESSION);
  const [stores] = useState(() => {
    const selection = new SelectionStore();
    return { selection, triage: new TriageStore({ api, toasts, list, selection, unsaved }) };
  });
  const mayDecide = can(user?.role, 'findings.triage');
  const mayFix = can(user?.role, 'findings.fix');
  useEffect(() => {
    const { triage } = stores;
    if (mayDecide || mayFix) void triage.resume();
    return triage.leave;
  }, [stores, mayDecide, mayFix]);
  const canAssign = useCanAssign(mayDecide);
  return useMemo(() => ({ ...stores, mayDecide, mayFix, canAssign }), [stores, mayDecide, mayFix, canAssign]);
};

/** Index of the row that had the focus last: a dialog or the palette may have it now. */
const lastFocused = ({ store }: FindingsList): number | undefined => {
  const index = store.focusedId === undefined ? -1 : store.list.indexOf((row) => row._id === store.focusedId);
  return index < 0 ? undefined : index;
};

/** What the keys act on: the open finding, else the selection, else the row in focus. */
const targetOf = (list: FindingsList, openId: string | undefined, cursor: ListCursor): Target | undefined => {
  const { selection, store } = list;
  if (openId !== undefined) return { ids: [openId] };
  if (selection.isAll) return { view: store.view, total: store.total ?? 0 };
  if (!selection.isEmpty) return { ids: [...selection.ids] };
  const index = cursor.index() ?? lastFocused(list) ?? cursor.row?.index;
  const id = index === undefined ? undefined : store.list.rowAt(index)?._id;
  return id === undefined ? undefined : { ids: [id] };
};

/** Asks for the verdict false positive, or, of who may not decide, for a proposal. */
const askFalsePositive = (list: FindingsList, target: Target | undefined): void => {
  if (target === undefined) return;
  const [id] = 'ids' in target ? target.ids : [];
  if (list.mayDecide) list.triage.ask({ kind: 'verdict', verdict: 'false_positive', target });
  else if (id !== undefined && !list.route.isReadOnly) list.triage.ask({ kind: 'review', id });
};

/** The same from the palette. */
const useTriageCommands = (list: FindingsList, target: () => Target | undefined): void => {
  const commands = useService(COMMANDS);
  const now = useRef(target);
  now.current = target;
  useEffect(() => {
    const { triage, mayDecide, canAssign, route } = list;
    const verdict = (value: 'accepted_risk' | 'mitigated_externally') => () => {
      const meant = now.current();
      if (meant !== undefined) triage.ask({ kind: 'verdict', verdict: value, target: meant });
    };
    return commands.register([
      ...(route.isReadOnly
        ? []
        : [
            {
              label: mayDecide ? t('False positive') : t('Propose a verdict'),
              key: 'f',
              run: () => askFalsePositive(list, now.current()),
            },
          ]),
      ...(mayDecide
        ? [
            { label: t('Accept the risk'), run: verdict('accepted_risk') },
            { label: t('Mitigated externally'), run: verdict('mitigated_externally') },
          ]
        : []),
      ...(canAssign
        ? [
            {
              label: t('Assign to developers'),
              key: 'a',
              run: () => {
                const meant = now.current();
                if (meant !== undefined) triage.ask({ kind: 'assign', target: meant });
              },
            },
          ]
        : []),
      { label: t('Show all keys'), key: '?', run: () => triage.ask({ kind: 'keys' }) },
    ]);
  }, [commands, list]);
};

/** The keys of the list; Enter is the focused link's own. @returns the row that they moved to last. */
export const useTriageKeys = (
  list: FindingsList,
  openId: string | undefined,
  searchRef: { current: HTMLInputElement | null },
): CursorRow | undefined => {
  const { store, selection, triage, mayDecide, mayFix, canAssign } = list;
  const cursor = useListCursor(list, openId);
  const select = (isRange: boolean) => {
    const index = cursor.index() ?? cursor.row?.index;
    const id = index === undefined ? undefined : store.list.rowAt(index)?._id;
    if (!(mayDecide || mayFix) || index === undefined || id === undefined) return;
    if (isRange) selection.extendTo(index, (at) => store.list.rowAt(at)?._id);
    else selection.toggle(id, index);
  };
  const assign = () => {
    const target = targetOf(list, openId, cursor);
    if (canAssign && target !== undefined) triage.ask({ kind: 'assign', target });
  };
  useTriageCommands(list, () => targetOf(list, openId, cursor));
  const dropAsked = () => triage.ask(undefined);
  const keys = {
    j: () => cursor.move(1),
    k: () => cursor.move(-1),
    x: () => select(false),
    [RANGE_KEY]: () => select(true),
    f: () => askFalsePositive(list, targetOf(list, openId, cursor)),
    a: assign,
    '/': () => searchRef.current?.focus(),
    '?': () => triage.ask({ kind: 'keys' }),
    ...(openId === undefined && !selection.isEmpty ? { Escape: selection.clear } : {}),
  };
  // the code of a dialog may still be on the way, and what is typed is meant for it
  useListKeys(triage.asking === undefined ? keys : { Escape: dropAsked });
  return cursor.row;
};

/** A box that was ticked keeps the focus, and takes only Space: letters are keys of the list there. */
const TAKES_LETTERS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="menu"], [role="listbox"]';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(TAKES_LETTERS) !== null);

/** The focus may be on what lies around a dialog, so that asking for the target's own is not enough. */
const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** Single keys of a page. None fires while somebody types, with a modifier held, or while a dialog is open. */
export const useListKeys = (keys: Record<string, () => void>): void => {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      const handler = keys[event.key];
      if (handler === undefined) return;
      event.preventDefault();
      handler();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  });
};

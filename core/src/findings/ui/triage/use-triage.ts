import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { UNSAVED_TEXTS } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { COMMANDS } from '../../../shell/ui/navigation/commands.store.ts';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { PeopleStore } from '../../../team/ui/index.ts';
import { VERDICT_DONE } from '../../model/labels.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import type { FindingsList } from './findings-context.ts';
import { besideInGroups, findingInFocus, isGroupInFocus, moveInGroups, pickInFocus } from './group-keys.ts';
import { type CursorRow, type ListCursor, useListCursor } from './list-cursor.ts';
import { SelectionStore } from './selection.store.ts';
import { selectedIn, type Target } from './target.ts';
import { TriageStore } from './triage.store.ts';

/** `x` with Shift. */
const RANGE_KEY = 'X';

/** Whether there is a developer to send findings to; undefined until that is known. */
const useCanAssign = (mayDecide: boolean): boolean | undefined => {
  const api = useService(API);
  const [hasDevelopers, setHasDevelopers] = useState<boolean>();
  useEffect(() => {
    if (!mayDecide) return undefined;
    let isGone = false;
    const people = new PeopleStore(api);
    void people.load().then(() => {
      if (!isGone && people.developers !== undefined) setHasDevelopers(people.developers.length > 0);
    });
    return () => {
      isGone = true;
    };
  }, [api, mayDecide]);
  return mayDecide ? hasDevelopers : false;
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
  const index = store.focusedId === undefined ? -1 : store.indexOf(store.focusedId);
  return index < 0 ? undefined : index;
};

/** Rows are groups, which have keys of their own. */
const isGrouped = ({ store }: FindingsList): boolean => store.view.groupBy !== undefined;

/** What the keys act on: the open finding, else the selection, else the row in focus. */
const targetOf = (list: FindingsList, openId: string | undefined, cursor: ListCursor): Target | undefined => {
  const { selection, store } = list;
  if (openId !== undefined) return { ids: [openId] };
  // a decision about the head of a group is about all of it
  if (isGrouped(list) && selection.isEmpty && isGroupInFocus()) pickInFocus();
  if (!selection.isEmpty) return selectedIn(store, selection);
  if (isGrouped(list)) {
    const id = findingInFocus() ?? store.focusedId;
    return id === undefined ? undefined : { ids: [id] };
  }
  const index = cursor.index() ?? lastFocused(list) ?? cursor.row?.index;
  const id = index === undefined ? undefined : store.idAt(index);
  return id === undefined ? undefined : { ids: [id] };
};

/** Asks for the verdict false positive, or, of who may not decide, for a proposal. */
const askFalsePositive = (list: FindingsList, target: Target | undefined): void => {
  if (target === undefined) return;
  const [id] = 'ids' in target ? target.ids : [];
  if (list.mayDecide) list.triage.ask({ kind: 'verdict', verdict: 'false_positive', target });
  else if (id !== undefined && !list.route.isReadOnly) list.triage.ask({ kind: 'review', id });
};

const confirmValid = ({ triage, mayDecide }: FindingsList, target: Target | undefined): void => {
  if (mayDecide && target !== undefined)
    void triage.change(target, { verdict: { value: 'valid' } }, VERDICT_DONE.valid);
};

const askAcceptRisk = ({ triage, mayDecide }: FindingsList, target: Target | undefined): void => {
  if (mayDecide && target !== undefined) triage.ask({ kind: 'verdict', verdict: 'accepted_risk', target });
};

/** The same from the palette. */
const useTriageCommands = (list: FindingsList, target: () => Target | undefined): void => {
  const commands = useService(COMMANDS);
  const now = useRef(target);
  now.current = target;
  useEffect(() => {
    const { triage, mayDecide, canAssign, route } = list;
    const askMitigated = () => {
      const meant = now.current();
      if (meant !== undefined) triage.ask({ kind: 'verdict', verdict: 'mitigated_externally', target: meant });
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
            { label: t('Confirm as valid'), key: 'v', run: () => confirmValid(list, now.current()) },
            { label: t('Accept the risk'), key: 'e', run: () => askAcceptRisk(list, now.current()) },
            { label: t('Mitigated externally'), run: askMitigated },
            { label: t('Take the last decision back'), key: 'u', run: () => void triage.undoLast() },
          ]
        : []),
      ...(canAssign !== false
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

/** One row on: of the list, or of its groups. Beside an open finding to the next one. */
const useMove = (list: FindingsList, openId: string | undefined, cursor: ListCursor) => {
  const navigate = useNavigate();
  return (step: 1 | -1): void => {
    const next = openId === undefined ? undefined : besideInGroups(openId, step);
    if (next !== undefined) navigate(list.hrefOf(next), { replace: true });
    else if (isGrouped(list) && openId === undefined) moveInGroups(step);
    else cursor.move(step);
  };
};

/** The keys of the list; Enter is the focused link's own. @returns the row that they moved to last. */
export const useTriageKeys = (
  list: FindingsList,
  openId: string | undefined,
  searchRef: { current: HTMLInputElement | null },
): CursorRow | undefined => {
  const { store, selection, triage, mayDecide, mayFix, canAssign } = list;
  const cursor = useListCursor(list, openId);
  const move = useMove(list, openId, cursor);
  const select = (isRange: boolean) => {
    if (isGrouped(list)) {
      pickInFocus();
      return;
    }
    const index = cursor.index() ?? cursor.row?.index;
    const id = index === undefined ? undefined : store.idAt(index);
    if (!(mayDecide || mayFix) || index === undefined || id === undefined) return;
    if (isRange) selection.extendTo(index, store);
    else selection.toggle(id, index);
  };
  const assign = () => {
    const target = targetOf(list, openId, cursor);
    // a key that comes before the developers are known is not lost: the dialog waits for them
    if (canAssign !== false && target !== undefined) triage.ask({ kind: 'assign', target });
  };
  const fix = () => {
    const target = targetOf(list, openId, cursor);
    if (target !== undefined) triage.ask({ kind: 'fix', target });
  };
  useTriageCommands(list, () => targetOf(list, openId, cursor));
  const dropAsked = () => triage.ask(undefined);
  const keys = {
    j: () => move(1),
    k: () => move(-1),
    x: () => select(false),
    [RANGE_KEY]: () => select(true),
    f: () => askFalsePositive(list, targetOf(list, openId, cursor)),
    v: () => confirmValid(list, targetOf(list, openId, cursor)),
    e: () => askAcceptRisk(list, targetOf(list, openId, cursor)),
    u: () => void triage.undoLast(),
    a: assign,
    '/': () => searchRef.current?.focus(),
    '?': () => triage.ask({ kind: 'keys' }),
    // an open finding has its own, beside its fix
    ...(openId === undefined && mayFix ? { r: fix } : {}),
    ...(openId === undefined && !selection.isEmpty ? { Escape: selection.clear } : {}),
  };
  // the code of a dialog may still be on the way, and what is typed is meant for it
  useListKeys(triage.asking === undefined ? keys : { Escape: dropAsked });
  useUndoKey(triage.undoLast);
  return cursor.row;
};

/** A box that was ticked keeps the focus, and takes only Space: letters are keys of the list there. */
const TAKES_LETTERS = 'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="menu"], [role="listbox"]';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.closest(TAKES_LETTERS) !== null);

/** The focus may be on what lies around a dialog, so that asking for the target's own is not enough. */
const isDialogOpen = (): boolean => document.querySelector('[role="dialog"]') !== null;

/** Ctrl or Cmd with Z takes back what was decided last; in a field it stays the field's own. */
const useUndoKey = (undo: () => boolean): void => {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
      if (!isUndo || event.shiftKey || event.altKey || event.defaultPrevented) return;
      if (isTyping(event.target) || isDialogOpen()) return;
      if (undo()) event.preventDefault();
    };
    document.addEventListener('keydown', handleKey);
    return () => document.removeEventListener('keydown', handleKey);
  }, [undo]);
};

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

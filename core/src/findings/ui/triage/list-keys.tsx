import { msg } from '../../../platform/model/message.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import './keys.css';

/** A key of the list and what it does, for the dialog of the list and the page of help. */
export interface ListKey {
  keys: readonly string[];
  does: string;
  /** Only for those who decide. */
  isForDeciders?: true;
  /** Only for those who may do something with what is selected. */
  isSelecting?: true;
  /** Only where there is somebody to assign to. */
  isAssigning?: true;
  /** Nothing where the list may only be read. */
  isAct?: true;
}

const LIST_KEYS: readonly ListKey[] = [
  { keys: ['j'], does: msg('Next finding') },
  { keys: ['k'], does: msg('Previous finding') },
  { keys: [msg('Enter')], does: msg('Open the finding') },
  { keys: [msg('Esc')], does: msg('Close the panel, or drop the selection') },
  { keys: ['x'], does: msg('Select the finding'), isSelecting: true },
  { keys: [msg('Shift x')], does: msg('Select everything from the last selected one to here'), isSelecting: true },
  { keys: ['f'], does: msg('False positive'), isAct: true },
  { keys: ['v'], does: msg('Confirm as valid'), isForDeciders: true, isAct: true },
  { keys: ['e'], does: msg('Accept the risk'), isForDeciders: true, isAct: true },
  {
    keys: ['1', '2', '3'],
    does: msg('Usual reasons, while the field of the reason is empty'),
    isForDeciders: true,
    isAct: true,
  },
  { keys: ['u', msg('Ctrl Z')], does: msg('Take the last decision back'), isForDeciders: true, isAct: true },
  { keys: ['a'], does: msg('Assign to developers'), isForDeciders: true, isAssigning: true },
  { keys: ['r'], does: msg('Generate the fix of the open finding, or of what is selected'), isAct: true },
  { keys: ['p'], does: msg('Show the fix of the open finding, then open its pull request'), isAct: true },
  { keys: ['/'], does: msg('Search the list') },
  { keys: ['?'], does: msg('Show these keys') },
  { keys: ['Ctrl K', '⌘ K'], does: msg('Go to a page, act, or find') },
];

interface KeyTableProps {
  /** Those that this person has here; all without it. */
  isShown?: (key: ListKey) => boolean;
}

/** The keys of the list: the only table of them. */
export function KeyTable({ isShown = () => true }: KeyTableProps) {
  return (
    <dl className="keys">
      {LIST_KEYS.filter(isShown).map(({ keys: names, does }) => (
        <div key={does}>
          <dt>
            {names.map((name) => (
              <kbd key={name}>{t(name)}</kbd>
            ))}
          </dt>
          <dd>{t(does)}</dd>
        </div>
      ))}
    </dl>
  );
}

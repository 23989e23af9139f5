import { ConnectorError, type Json, type Static } from '@breakwater/sdk';
import type { Transitions } from './answers.ts';
import { isNamed } from './requests.ts';

/** A step that an issue can take now. */
type Transition = Static<typeof Transitions>['transitions'][number];

/** Ends that mean that the work was done, before those that say nothing and those that say it was not. */
const DONE = /\b(?:done|fix(?:ed)?|resolved?|closed?|completed?)\b/i;
const NOT_DONE = /won'?t|reject|declin|cancel|duplicate|invalid|abandon|cannot reproduce/i;

const rank = ({ name, to }: Transition): number => {
  const words = `${name} ${to.name}`;
  if (NOT_DONE.test(words)) return 2;
  return DONE.test(words) ? 0 : 1;
};

const openFields = ({ fields = {} }: Transition) =>
  Object.entries(fields).filter(([, { required, hasDefaultValue }]) => required && hasDefaultValue !== true);

/**
 * The step that closes an issue: the one that the form names, else one to a status of the category "done" that asks for nothing.
 * @throws ConnectorError config, where there is none
 */
export function chooseTransition(transitions: readonly Transition[], wanted: string | undefined): Transition {
  if (wanted !== undefined && wanted.trim() !== '') {
    const found = transitions.find(({ name }) => isNamed(name, wanted));
    if (found !== undefined) return found;
    throw new ConnectorError('config', `The issue has no transition "${wanted}" where it stands now.`, {
      help:
        transitions.length === 0
          ? 'This account may take none there.'
          : `Its transitions are: ${transitions.map(({ name }) => name).join(', ')}.`,
    });
  }
  const [best] = transitions
    .filter(({ to }) => to.statusCategory.key === 'done')
    .toSorted((a, b) => rank(a) - rank(b) || openFields(a).length - openFields(b).length);
  if (best !== undefined) return best;
  throw new ConnectorError('config', 'No transition leads from the present status to one that is done.', {
    help: 'Give the account the permission "Transition issues", or name a transition in the settings of the connection.',
  });
}

/**
 * What the screen of a transition asks for and can be answered: a resolution that says that the work was done. Null: nothing.
 * @throws ConnectorError config, naming the fields that nobody can fill for a person
 */
export function fieldsOfTransition(transition: Transition): Json {
  const open = openFields(transition);
  if (open.length === 0) return null;
  const resolution = open
    .find(([id]) => id === 'resolution')?.[1]
    .allowedValues?.find(({ name }) => name !== undefined && DONE.test(name) && !NOT_DONE.test(name))?.name;
  const left = open.filter(([id]) => id !== 'resolution' || resolution === undefined);
  if (left.length === 0 && resolution !== undefined) return { resolution: { name: resolution } };
  const names = left.map(([, { name }]) => `"${name}"`).join(', ');
  throw new ConnectorError('config', `The transition "${transition.name}" asks for ${names}.`, {
    help: 'Close the issue by hand, give the field a default value, or name another transition in the settings.',
  });
}

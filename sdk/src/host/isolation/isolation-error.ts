/** Why code in a process of its own did not come to an answer. */
export type IsolationFailure =
  | 'start'
  | 'ended'
  | 'memory'
  | 'unresponsive'
  | 'silent'
  | 'protocol'
  | 'too_much'
  | 'network'
  | 'busy';

const WORDS: Record<IsolationFailure, string> = {
  start: 'The process of this plugin did not start.',
  ended: 'The process of this plugin ended before it had answered.',
  memory: 'The process of this plugin was ended: it used up its memory.',
  unresponsive: 'The process of this plugin was ended: it did not respond any more.',
  silent: 'The process of this plugin was ended: it had nothing to wait for and did not go on.',
  protocol: 'The process of this plugin was ended: what it sent could not be read.',
  too_much: 'The process of this plugin was ended: it sent more than it may.',
  network: 'This plugin is not run: its process could not be cut off from the network.',
  busy: 'All processes that this plugin may have are at work.',
};

/** The process of a plugin failed, not its service. It counts as a crash of the connector's code. */
export class IsolationError extends Error {
  readonly failure: IsolationFailure;

  constructor(failure: IsolationFailure, detail?: string) {
    super(WORDS[failure], detail === undefined || detail === '' ? undefined : { cause: new Error(detail) });
    this.name = 'IsolationError';
    this.failure = failure;
  }
}

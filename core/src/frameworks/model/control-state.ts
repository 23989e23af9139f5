import type { Framework } from '../../prioritisation/model/frameworks.ts';

/**
 * How far anything looks at a control: `assessed`, everything that covers it has reported; `partly_assessed`, some of it; `not_assessed`,
 * none of it ever. No state says that a control is met: that is for people to judge.
 */
export const CONTROL_STATES = ['assessed', 'partly_assessed', 'not_assessed'] as const;
export type ControlState = (typeof CONTROL_STATES)[number];

/** @param reported for each scanner family and setting that covers the control, whether it has reported. @param findings known of it */
export const controlStateOf = (reported: readonly boolean[], findings: number): ControlState => {
  if (reported.length > 0 && reported.every(Boolean)) return 'assessed';
  return reported.some(Boolean) || findings > 0 ? 'partly_assessed' : 'not_assessed';
};

const wordsOf = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, ' ')
    .trim()} `;

/** Whether one of the regulations that an organisation wrote down names the framework. */
export const isNamed = ({ aliases }: Pick<Framework, 'aliases'>, regulations: readonly string[]): boolean =>
  regulations.map(wordsOf).some((words) => aliases.some((alias) => words.includes(` ${alias} `)));

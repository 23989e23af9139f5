import type { Sentence } from '../../../../platform/model/sentence.ts';
import { ENGLISH } from '../../../../platform/model/translator.ts';
import type { NoFixReason } from '../../../model/fix.ts';

/** Thrown inside of the engine where there is no fix; `planFix` answers it as `NoFix`. The message is a sentence for people, in English. */
export class CannotFix extends Error {
  readonly reason: NoFixReason;

  constructor(reason: NoFixReason, detail: Sentence) {
    super(ENGLISH.say(detail));
    this.name = 'CannotFix';
    this.reason = reason;
  }
}

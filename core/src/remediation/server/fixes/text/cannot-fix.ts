import type { NoFixReason } from '../../../model/fix.ts';

/** Thrown inside of the engine where there is no fix; `planFix` answers it as `NoFix`. The message is a sentence for people. */
export class CannotFix extends Error {
  readonly reason: NoFixReason;

  constructor(reason: NoFixReason, detail: string) {
    super(detail);
    this.name = 'CannotFix';
    this.reason = reason;
  }
}

import { condense, type KitCheck } from '../check.ts';

/** Keeps what fails in a process after nobody waits for it any more, until `stop`. */
export interface LooseEnds {
  /** What has come since the last time, as a check of the connector that was tested meanwhile. */
  take(): KitCheck;
  stop(): void;
}

const FIX = 'Wait for every promise that you make, and let nothing run on in timers.';

/** Watches for rejections and exceptions that reach nobody: in the product they would end the process. */
export function watchLooseEnds(): LooseEnds {
  let messages: string[] = [];
  const handle = (reason: unknown): void => {
    messages.push(reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason));
  };
  process.on('unhandledRejection', handle);
  process.on('uncaughtException', handle);
  return {
    take: () => {
      const issues = messages.map((what) => ({
        what: `something fails after its operation has ended: ${what}`,
        where: 'a promise or a timer that nobody waits for',
        fix: FIX,
      }));
      messages = [];
      return { tier: 'silver', name: 'loose ends', tried: 1, issues: condense(issues) };
    },
    stop: () => {
      process.off('unhandledRejection', handle);
      process.off('uncaughtException', handle);
    },
  };
}

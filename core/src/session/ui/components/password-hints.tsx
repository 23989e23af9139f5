import { Circle, Tick } from '@blueprintjs/icons';
import { passwordFaults } from '../../model/password-policy.ts';

/** The rules, as the faults of a password that meets none. */
const RULES = passwordFaults('');

export interface PasswordHintsProps {
  password: string;
}

/** Which rules a new password meets, while it is typed. */
export function PasswordHints({ password }: PasswordHintsProps) {
  const faults = passwordFaults(password);
  const others = faults.filter((fault) => !RULES.includes(fault));
  return (
    <ul className="hints" aria-label="Rules for the password">
      {[...RULES, ...others].map((rule) => {
        const isMet = !faults.includes(rule);
        return (
          <li key={rule} className={isMet ? 'is-met' : undefined}>
            {isMet ? <Tick size={12} aria-hidden={true} /> : <Circle size={12} aria-hidden={true} />}
            {rule}
            <span className="sr">{isMet ? 'Met' : 'Not met yet'}</span>
          </li>
        );
      })}
    </ul>
  );
}

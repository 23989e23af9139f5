import { type GateState, gateOf, type StoredConnection } from '@breakwater/sdk';
import { msg } from '../../platform/model/message.ts';

/** Who moved a switch, when and why. */
export interface SwitchPosition {
  readonly isEnabled: boolean;
  readonly at: Date;
  /** Name of the person, as it was then. */
  readonly by: string | null;
  readonly reason: string | null;
}

/** Why nothing runs, and who decided it. */
export interface GateView {
  readonly state: GateState;
  readonly by: string | null;
  readonly at: Date | null;
  readonly reason: string | null;
}

/** What decides the gate. */
export interface GateParts {
  readonly stored: StoredConnection;
  readonly organisation: SwitchPosition | null;
  readonly platform: SwitchPosition | null;
  readonly quarantinedAt: Date | null;
}

const NOBODY = { by: null, at: null, reason: null };

/** The strongest reason why nothing runs, with who decided it. */
export function gateView({ stored, organisation, platform, quarantinedAt }: GateParts): GateView {
  const state = gateOf(stored);
  if (state === 'disabledByPlatform') return { state, ...(platform ?? NOBODY) };
  if (state === 'disabledByOrganisation') return { state, ...(organisation ?? NOBODY) };
  if (state === 'quarantined') {
    return { state, by: null, at: quarantinedAt, reason: msg('Its code failed three times within ten minutes.') };
  }
  return { state, ...NOBODY };
}

/** What a person reads who wants to use a connector that is not open. */
export function closedMessage(title: string, gate: GateView): string {
  const because = gate.reason === null ? '' : ` Reason: ${gate.reason}`;
  if (gate.state === 'quarantined') {
    return `${title} is in quarantine: its code failed three times within ten minutes. An admin can release it.`;
  }
  const who = gate.by === null ? '' : ` by ${gate.by}`;
  const day = gate.at === null ? '' : ` on ${gate.at.toISOString().slice(0, 10)}`;
  const where = gate.state === 'disabledByPlatform' ? 'for the whole platform' : 'for your organisation';
  return `${title} is switched off ${where}${who}${day}.${because}`;
}

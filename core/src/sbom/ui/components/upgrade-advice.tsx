import { Callout } from '@blueprintjs/core';
import { ArrowUp } from '@blueprintjs/icons';
import type { ComponentDetails } from '../component-detail.store.ts';

const findings = (count: number): string => (count === 1 ? '1 finding' : `${count} findings`);

/** What an upgrade leaves open, in sentences. */
const restOf = ({ upgrade, component_findings }: ComponentDetails): string[] => {
  const { unfixed, incomparable, covers, version } = upgrade;
  const left = component_findings.length - covers - unfixed - incomparable;
  return [
    unfixed > 0 ? `No fixed version is known for ${findings(unfixed)}.` : '',
    incomparable > 0 ? `The fixed versions of ${findings(incomparable)} cannot be compared; see the list.` : '',
    version === null && left > 0 ? 'The reports name fixes, but no version that fixes all of them.' : '',
  ].filter((sentence) => sentence !== '');
};

/** The lowest version that fixes what is open, as far as reports tell. */
export function UpgradeAdvice({ detail }: { detail: ComponentDetails }) {
  const { upgrade, component_findings } = detail;
  if (component_findings.length === 0) return null;
  const rest = restOf(detail).join(' ');
  if (upgrade.version === null) {
    return (
      <Callout className="upgrade" compact>
        {rest}
      </Callout>
    );
  }
  const what = upgrade.covers === component_findings.length ? 'everything open here' : findings(upgrade.covers);
  return (
    <Callout className="upgrade" compact intent="success" icon={<ArrowUp />}>
      Version <b className="mono">{upgrade.version}</b> fixes {what}, by the fixed versions that the reports name.
      {upgrade.is_major && ' It is a new major version: expect changes in its interface.'} {rest}
    </Callout>
  );
}

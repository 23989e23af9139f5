import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { ActDialog } from '../../../platform/ui/act-dialog.tsx';
import { API } from '../../../platform/ui/api-client.ts';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { OptionList } from '../../../platform/ui/option-list.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { PeopleStore } from '../../../team/ui/index.ts';

export interface AssignDialogProps {
  count: number;
  onAssign: (developers: string[]) => void;
  onClose: () => void;
}

/** Asks to whom findings are sent. */
export const AssignDialog = observer(function AssignDialog({ count, onAssign, onClose }: AssignDialogProps) {
  const api = useService(API);
  const [people] = useState(() => new PeopleStore(api));
  const [chosen, setChosen] = useState<string[]>([]);
  useEffect(() => void people.load(), [people]);
  const toggle = (id: string) =>
    setChosen((now) => (now.includes(id) ? now.filter((other) => other !== id) : [...now, id]));
  const { developers } = people;
  const findings = count === 1 ? '1 finding' : `${formatNumber(count)} findings`;
  return (
    <ActDialog
      isOpen={true}
      title={`Assign ${findings}`}
      consequence="They get a notice and see what is assigned to them."
      actLabel={chosen.length === 0 ? 'Choose a developer' : 'Assign'}
      isBusy={developers === undefined && people.error === undefined}
      canAct={chosen.length > 0}
      onAct={() => onAssign(chosen)}
      onClose={onClose}
    >
      {people.error !== undefined && <p className="err">{people.error}</p>}
      {developers?.length === 0 && (
        <p className="muted">The organisation has no developers yet. An admin invites them.</p>
      )}
      {developers !== undefined && developers.length > 0 && (
        <OptionList
          label="Developers"
          options={developers}
          selected={chosen}
          onPick={toggle}
          isMultiple={true}
          isFilterable={true}
          hasFocus={true}
        />
      )}
    </ActDialog>
  );
});

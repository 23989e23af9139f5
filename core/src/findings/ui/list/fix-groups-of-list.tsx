import { observer } from 'mobx-react-lite';
import type { FindingView } from '../data/finding-view.ts';
import { FixGroups } from '../detail/finding-fix.tsx';
import { useFindingsList } from '../triage/findings-context.ts';
import './finding-groups.css';

/** The findings of a view by what fixes them; what is selected there is what the bar acts on. */
export const FixGroupsOfList = observer(function FixGroupsOfList({ view }: { view: FindingView }) {
  const { hrefOf, selection, triage, mayFix } = useFindingsList();
  return (
    <FixGroups
      filters={view.filters}
      search={view.search}
      hrefOf={hrefOf}
      selection={selection}
      mayFix={mayFix}
      onFix={(ids) => triage.ask({ kind: 'fix', target: { ids } })}
    />
  );
});

import { Checkbox } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import type { DraftPath } from '../../model/draft-document.ts';
import type { PartProps } from './builder-part.tsx';

interface OptionalProps extends PartProps {
  at: DraftPath;
  label: string;
  /** What stands there at first. */
  first: unknown;
  children: ReactNode;
}

/** A part of the document that is there or not. */
export const Optional = observer(function Optional({ store, at, label, first, children }: OptionalProps) {
  const has = store.valueAt(at) !== undefined;
  const change = () => {
    store.set(at, has ? undefined : first);
    // an empty list of actions would say nothing
    if (has && store.live.sends.length === 0) store.set(['actions'], undefined);
  };
  return (
    <>
      <Checkbox label={label} checked={has} onChange={change} />
      {has && <div className="builder-inner">{children}</div>}
    </>
  );
});

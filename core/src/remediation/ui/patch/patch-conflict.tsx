import { Button, Callout } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { DiffView } from '../diff-view.tsx';
import type { PatchStore } from './patch.store.ts';

/** Somebody else has saved meanwhile: both versions are there until a person decides. */
export const PatchConflict = observer(function PatchConflict({ store }: { store: PatchStore }) {
  const { theirs } = store;
  const [isShown, setIsShown] = useState(false);
  if (theirs === undefined) return null;
  const { history, code_diff: diff } = theirs.attributes;
  const actor = history.find(({ kind }) => kind === 'edit' || kind === 'planned')?.actor ?? 'Somebody else';
  return (
    <Callout intent="warning" role="alert" title={`${actor} has changed this fix meanwhile`}>
      <p>What you wrote is still here and is not saved. Nothing was overwritten.</p>
      <div className="buttons">
        <Button text={isShown ? 'Hide their version' : 'Show their version'} onClick={() => setIsShown(!isShown)} />
        <Button text="Take their version" onClick={store.drop} />
        <Button text="Save mine over it" onClick={() => void store.saveOverTheirs()} />
      </div>
      {isShown && (diff === null ? <p>Their version has no patch.</p> : <DiffView diff={diff} />)}
    </Callout>
  );
});

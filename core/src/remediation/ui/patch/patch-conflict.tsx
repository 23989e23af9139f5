import { Button, Callout } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { t } from '../../../platform/ui/language/translate.ts';
import { DiffView } from '../diff-view.tsx';
import type { PatchStore } from './patch.store.ts';

/** Somebody else has saved meanwhile: both versions are there until a person decides. */
export const PatchConflict = observer(function PatchConflict({ store }: { store: PatchStore }) {
  const { theirs } = store;
  const [isShown, setIsShown] = useState(false);
  if (theirs === undefined) return null;
  const { history, code_diff: diff } = theirs.attributes;
  const actor = history.find(({ kind }) => kind === 'edit' || kind === 'planned')?.actor ?? t('Somebody else');
  return (
    <Callout intent="warning" role="alert" title={t('{name} has changed this fix meanwhile', { name: actor })}>
      <p>{t('What you wrote is still here and is not saved. Nothing was overwritten.')}</p>
      <div className="buttons">
        <Button
          text={isShown ? t('Hide their version') : t('Show their version')}
          onClick={() => setIsShown(!isShown)}
        />
        <Button text={t('Take their version')} onClick={store.drop} />
        <Button text={t('Save mine over it')} onClick={() => void store.saveOverTheirs()} />
      </div>
      {isShown && (diff === null ? <p>{t('Their version has no patch.')}</p> : <DiffView diff={diff} />)}
    </Callout>
  );
});

import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useId } from 'react';
import { Link } from 'react-router-dom';
import { useService } from '../data/services.tsx';
import { t } from '../language/translate.ts';
import { copyText } from './clipboard.ts';
import { DialogBox } from './dialogs.tsx';
import { TOASTS } from './toasts.store.ts';
import { UNSAVED_TEXTS } from './unsaved-texts.ts';

/** What was not saved when the session ended, with the text, once its writer has signed in again. */
export const UnsavedDialog = observer(function UnsavedDialog() {
  const unsaved = useService(UNSAVED_TEXTS);
  const toasts = useService(TOASTS);
  const titleId = useId();
  return (
    <DialogBox
      className="dialog"
      isOpen={unsaved.left.length > 0}
      aria-labelledby={titleId}
      canOutsideClickClose={false}
      onClose={unsaved.dismiss}
    >
      <header id={titleId}>{t('Not saved when your session ended')}</header>
      <div className="b unsaved">
        {unsaved.left.map(({ what, text, href }) => (
          <section key={JSON.stringify([what, text, href])}>
            <h3>{what}</h3>
            <blockquote>{text}</blockquote>
            <div className="row">
              <Button size="small" text={t('Copy')} onClick={() => void copyText(text, toasts)} />
              <Link to={href}>{t('Go to the page')}</Link>
            </div>
          </section>
        ))}
      </div>
      <footer>
        <Button intent="primary" text={t('Done')} onClick={unsaved.dismiss} />
      </footer>
    </DialogBox>
  );
});

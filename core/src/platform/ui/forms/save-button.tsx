import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { t } from '../language/translate.ts';

interface SaveButtonProps {
  /** Id of the form that it submits. */
  form: string;
  store: { readonly isChanged: boolean; readonly isSaving: boolean };
}

/** Saves the form of a page, from the head of that page. */
export const SaveButton = observer(function SaveButton({ form, store }: SaveButtonProps) {
  return (
    <Button
      type="submit"
      form={form}
      intent="primary"
      text={t('Save')}
      disabled={!store.isChanged}
      loading={store.isSaving}
    />
  );
});

import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { useSearchTarget } from './search-target.ts';

interface SearchDialogProps {
  isOpen: boolean;
  onClose: () => void;
}

/** The search of the top bar where that has no room for its field. */
export function SearchDialog({ isOpen, onClose }: SearchDialogProps) {
  const navigate = useNavigate();
  const { title, hint, addressOf } = useSearchTarget();
  const [text, setText] = useState('');
  const handleAction = () => {
    onClose();
    navigate(addressOf(text));
    setText('');
  };
  return (
    <ActionDialog isOpen={isOpen} title={title} actionLabel={t('Search')} onAction={handleAction} onClose={onClose}>
      <input
        className="bp6-input"
        type="search"
        aria-label={hint}
        placeholder={hint}
        // The dialog was opened to type here.
        // biome-ignore lint/a11y/noAutofocus: see above
        autoFocus={true}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </ActionDialog>
  );
}

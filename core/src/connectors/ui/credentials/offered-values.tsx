import { Button } from '@blueprintjs/core';
import { CaretDown } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { OptionList } from '../../../platform/ui/forms/option-list.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import type { FormEntry } from '../data/connector.ts';
import type { Offers } from '../data/connectors.store.ts';
import { type CredentialForm, controlId } from './credential-form.store.ts';

interface OfferedValuesProps {
  form: CredentialForm;
  entry: FormEntry;
  /** @throws ApiError */
  onOffer: (field: string) => Promise<Offers>;
}

interface OfferListProps extends OfferedValuesProps {
  onClose: () => void;
}

/** What the service answers now; each opening asks again, since other fields may have changed. */
const OfferList = observer(function OfferList({ form, entry, onOffer, onClose }: OfferListProps) {
  const [offers, setOffers] = useState<Offers>();
  const [error, setError] = useState<unknown>();
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each opening and each "Try again"
  useEffect(() => {
    let isShown = true;
    onOffer(entry.name).then(
      (answer) => {
        if (isShown) setOffers(answer);
      },
      (reason: unknown) => {
        if (!isShown) return;
        setError(reason);
        // what is wrong with other fields is said beside them
        if (reason instanceof ApiError && reason.issues.length > 0) {
          onClose();
          form.refuse(reason);
        }
      },
    );
    return () => {
      isShown = false;
    };
  }, [asked]);
  if (error !== undefined) {
    const retry = () => {
      setError(undefined);
      setAsked(asked + 1);
    };
    return <ErrorState title={t('The values could not be read; type one instead')} error={error} onRetry={retry} />;
  }
  if (offers === undefined) return <SkeletonRows rows={4} rowHeight={30} label={entry.label} />;
  const draft = form.draftOf(entry);
  const pick = (value: string) => {
    form.edit(entry, value);
    onClose();
  };
  return (
    <>
      <OptionList
        label={entry.label}
        options={offers.values}
        selected={typeof draft === 'string' ? [draft] : []}
        onPick={pick}
        hasFocus={true}
      />
      {!offers.is_complete && <p className="muted small">{t('There are more. Type the one that is not listed.')}</p>}
    </>
  );
});

/** Beside a text field: the values that the service itself offers, to choose from with a search. */
export const OfferedValues = observer(function OfferedValues(props: OfferedValuesProps) {
  const { entry } = props;
  const [isOpen, setIsOpen] = useState(false);
  const close = () => {
    setIsOpen(false);
    document.getElementById(controlId(entry.name))?.focus();
  };
  return (
    <Popup
      kind="dialog"
      isOpen={isOpen}
      onToggle={setIsOpen}
      placement="bottom-end"
      returnsFocus={false}
      className="select-popover"
      content={
        <div role="dialog" aria-label={entry.label} className="offered-values">
          <OfferList {...props} onClose={close} />
        </div>
      }
    >
      <Button
        text={t('Choose')}
        aria-label={t('Choose {field}', { field: entry.label })}
        endIcon={<CaretDown aria-hidden={true} />}
      />
    </Popup>
  );
});

import { observer } from 'mobx-react-lite';
import { type CSSProperties, useEffect, useState } from 'react';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { FormField, FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { SaveButton } from '../../../platform/ui/forms/save-button.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { mapPosition, ORGANIZATION_SECTIONS } from '../../model/organization-form.ts';
import { OrganizationStore } from './organization.store.ts';
import { OrganizationEnd } from './organization-end.tsx';
import './organization.css';

type Section = (typeof ORGANIZATION_SECTIONS)[number];

/** The world with a mark where the headquarters are; drawn from our own file, without tiles of a map service. */
function HeadquartersMap({ coordinate }: { coordinate: { lat: number; long: number } | undefined }) {
  const place = coordinate && mapPosition(coordinate);
  const style: CSSProperties | undefined = place && { left: `${place.left}%`, top: `${place.top}%` };
  const label =
    coordinate &&
    t('Headquarters at {lat}° latitude, {long}° longitude', { lat: coordinate.lat, long: coordinate.long });
  return (
    <figure className="world">
      <div className="world-map" role="img" aria-label={label ?? t('Map of the world, without a mark')}>
        <div className="world-land" />
        {style !== undefined && <span className="world-mark" style={style} />}
      </div>
      {coordinate === undefined && (
        <figcaption className="muted small">{t('Enter both coordinates to see the mark.')}</figcaption>
      )}
    </figure>
  );
}

interface FieldProps {
  store: OrganizationStore;
  field: Section['fields'][number];
  isDisabled: boolean;
}

const Field = observer(function Field({ store, field, isDisabled }: FieldProps) {
  const { id, label, help, isLong } = field;
  const value = store.draft?.[id] ?? '';
  return (
    <FormField id={id} label={t(label)} help={help === undefined ? undefined : t(help)} error={store.errorOf(id)}>
      {(control) =>
        isLong === true ? (
          <textarea
            {...control}
            rows={3}
            disabled={isDisabled}
            value={value}
            onChange={(event) => store.set(id, event.currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            type="text"
            autoComplete="off"
            disabled={isDisabled}
            value={value}
            onChange={(event) => store.set(id, event.currentTarget.value)}
          />
        )
      }
    </FormField>
  );
});

const OrganizationForm = observer(function OrganizationForm({
  store,
  mayChange,
}: {
  store: OrganizationStore;
  mayChange: boolean;
}) {
  return (
    <form
      id="organization-form"
      className="organization"
      noValidate={true}
      onSubmit={(event) => {
        event.preventDefault();
        void store.save();
      }}
    >
      <FormSummary issues={store.issues} />
      {ORGANIZATION_SECTIONS.map(({ title, fields }) => (
        <section key={title} className="bp6-card" aria-label={t(title)}>
          <h2>{t(title)}</h2>
          <div className="organization-fields">
            {fields.map((field) => (
              <Field key={field.id} store={store} field={field} isDisabled={!mayChange} />
            ))}
          </div>
          {title === 'Headquarters' && <HeadquartersMap coordinate={store.coordinate} />}
        </section>
      ))}
    </form>
  );
});

/** `/Organization`: what the organisation says of itself. */
export const OrganizationScreen = observer(function OrganizationScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new OrganizationStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const mayChange = can(user?.role, 'settings.write');
  if (store.error !== undefined) {
    return <ErrorState title={t('The organisation could not be read')} error={store.error} onRetry={store.load} />;
  }
  return (
    <div className="canvas">
      <ConfirmLeave isChanged={store.isChanged} />
      <PageHead title={t('Organisation')}>
        {mayChange && <SaveButton form="organization-form" store={store} />}
      </PageHead>
      <div className="page">
        {!mayChange && <p className="t2">{t('An admin can change it.')}</p>}
        <p className="muted small" role="status">
          {store.isSaved && t('Saved.')}
        </p>
        {store.draft === undefined ? (
          <SkeletonRows rows={8} rowHeight={52} label={t('Organisation')} />
        ) : (
          <OrganizationForm store={store} mayChange={mayChange} />
        )}
        {can(user?.role, 'organization.delete') && <OrganizationEnd />}
      </div>
    </div>
  );
});

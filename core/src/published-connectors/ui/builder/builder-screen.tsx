import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { PublishDialog } from '../publish-dialog.tsx';
import { PublishedStore } from '../published.store.ts';
import { BuilderStore } from './builder.store.ts';
import { VERSION_OF } from './builder-address.ts';
import { BuilderForm } from './builder-form.tsx';
import { DOCUMENT_FILE } from './examples.ts';
import { LiveTest } from './live-test.tsx';
import '../../../platform/ui/display/approval.css';
import './builder.css';

interface StoreProps {
  store: BuilderStore;
}

/** The document as text, and everything that is wrong with it. */
const TextPane = observer(function TextPane({ store }: StoreProps) {
  const { shownIssues, document, text } = store;
  return (
    <section className="bp6-card builder-part builder-text" aria-label={t('Document')}>
      <FormField
        label={DOCUMENT_FILE}
        error={document === undefined ? t('This is no JSON object: the form waits until it is one.') : undefined}
      >
        {({ className, ...control }) => (
          <textarea
            {...control}
            className={`${className} mono`}
            spellCheck={false}
            value={text}
            onChange={(event) => store.edit(event.target.value)}
          />
        )}
      </FormField>
      <div aria-live="polite">
        {shownIssues.length > 0 && (
          <>
            <h3>{t('To be done before it can be published')}</h3>
            <ul className="builder-issues">
              {shownIssues.map(({ path, message }) => (
                <li key={`${path.join('.')} ${message}`}>
                  {path.length > 0 && <code className="mono">{path.join('.')}</code>} {message}
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  );
});

const Discard = observer(function Discard({ store }: StoreProps) {
  const [isAsked, setIsAsked] = useState(false);
  return (
    <>
      <Button variant="minimal" text={t('Discard draft')} disabled={store.isNew} onClick={() => setIsAsked(true)} />
      <ActionDialog
        isOpen={isAsked}
        title={t('Discard draft')}
        consequence={t('What you have written here is deleted. Published connectors stay as they are.')}
        actionLabel={t('Discard')}
        isDestructive={true}
        onAction={() => {
          store.discard();
          setIsAsked(false);
        }}
        onClose={() => setIsAsked(false)}
      />
    </>
  );
});

const Publish = observer(function Publish({ store }: StoreProps) {
  const api = useService(API);
  const navigate = useNavigate();
  const [published] = useState(() => new PublishedStore(api));
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => published.dispose, [published]);
  const { document, fixtures } = store;
  const isReady = document !== undefined && fixtures !== undefined;
  return (
    <>
      <Button
        intent="primary"
        text={t('Publish')}
        disabled={!isReady}
        title={isReady ? undefined : t('Test it with the service first: what is recorded then is published with it.')}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && isReady && (
        <PublishDialog
          store={published}
          {...(store.published === undefined ? {} : { item: store.published })}
          files={{ document, fixtures }}
          onDone={() => {
            store.discard();
            void navigate('/connector/published');
          }}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
});

const Body = observer(function Body({ store }: StoreProps) {
  if (store.error !== undefined)
    return (
      <ErrorState
        title={t('The published connector could not be read')}
        error={store.error}
        onRetry={() => void store.open()}
      />
    );
  if (store.isReading) return <SkeletonRows rows={6} rowHeight={64} label={t('Connector')} />;
  return (
    <div className="builder-columns">
      <fieldset className="builder-form" disabled={store.document === undefined}>
        <legend className="sr">{t('Connector')}</legend>
        <BuilderForm store={store} />
        <LiveTest store={store} />
      </fieldset>
      <TextPane store={store} />
    </div>
  );
});

/** `/connector/builder`: a connector without code, from a form; `?of=` a publication, its next version. */
export const BuilderScreen = observer(function BuilderScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [address] = useSearchParams();
  const publicationId = address.get(VERSION_OF);
  const [store] = useState(
    () => new BuilderStore(api, { storage: window.localStorage, userId: user?._id ?? '', publicationId }),
  );
  useEffect(() => {
    void store.open();
    return store.dispose;
  }, [store]);
  const title = store.published?.attributes.title;
  return (
    <div className="canvas">
      <PageHead
        title={title === undefined ? t('Build a connector') : t('New version of {connector}', { connector: title })}
      >
        <Link className="small" to="/connector/published">
          {t('Published connectors')}
        </Link>
        <Discard store={store} />
        <Publish store={store} />
      </PageHead>
      <div className="page">
        <p className="t2 builder-intro">
          {t(
            'A connector without code is one document: what is asked of a service with a JSON API, and what its answers mean. The form and the text are the same document. The draft is kept in this browser until you publish or discard it.',
          )}
        </p>
        <Body store={store} />
      </div>
    </div>
  );
});

import { observer } from 'mobx-react-lite';
import { t } from '../../../platform/ui/language/translate.ts';
import type { DraftPath } from '../../model/draft-document.ts';
import type { PartProps } from './builder-part.tsx';
import { DraftChoice, DraftJson, DraftMap, DraftText } from './draft-inputs.tsx';
import { EXAMPLE } from './examples.ts';

const METHODS = ['GET', 'POST'] as const;

/** A request of the document. */
export const RequestFields = observer(function RequestFields({
  store,
  at,
  placeholder,
}: PartProps & { at: DraftPath; placeholder: string }) {
  const request = [...at, 'request'];
  const method = store.textAt([...request, 'method']);
  return (
    <>
      <div className="builder-request">
        <DraftChoice
          store={store}
          path={[...request, 'method']}
          label={t('Method')}
          options={METHODS.map((one) => ({ value: one === 'GET' ? '' : one, label: one }))}
        />
        <DraftText
          store={store}
          path={[...request, 'path']}
          label={t('Path')}
          isCode={true}
          placeholder={placeholder}
        />
      </div>
      <DraftMap
        store={store}
        path={[...request, 'query']}
        label={t('Query')}
        placeholder={EXAMPLE.query}
        help={t('One parameter per line: name = value.')}
      />
      {method === 'POST' && <DraftJson store={store} path={[...request, 'body']} label={t('Body')} />}
    </>
  );
});

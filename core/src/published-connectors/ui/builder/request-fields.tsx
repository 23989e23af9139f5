import { observer } from 'mobx-react-lite';
import { t } from '../../../platform/ui/language/translate.ts';
import type { DraftPath } from '../../model/draft-document.ts';
import type { PartProps } from './builder-part.tsx';
import { DraftChoice, DraftJson, DraftMap, DraftText } from './draft-inputs.tsx';
import { EXAMPLE } from './examples.ts';

const READING = ['GET', 'POST'];

interface RequestFieldsProps extends PartProps {
  at: DraftPath;
  placeholder: string;
  /** The first is what is meant where the document names none. */
  methods?: readonly string[];
}

/** A request of the document. */
export const RequestFields = observer(function RequestFields(props: RequestFieldsProps) {
  const { store, at, placeholder, methods = READING } = props;
  const request = [...at, 'request'];
  const method = store.textAt([...request, 'method']) || methods[0];
  return (
    <>
      <div className="builder-request">
        <DraftChoice
          store={store}
          path={[...request, 'method']}
          label={t('Method')}
          options={methods.map((one, index) => ({ value: index === 0 ? '' : one, label: one }))}
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
      {method !== 'GET' && <DraftJson store={store} path={[...request, 'body']} label={t('Body')} />}
    </>
  );
});

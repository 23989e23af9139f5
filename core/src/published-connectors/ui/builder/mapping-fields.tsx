import { Button, HTMLSelect } from '@blueprintjs/core';
import { Cross } from '@blueprintjs/icons';
import { FINDING_TYPES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { t, translated } from '../../../platform/ui/language/translate.ts';
import { type DraftPath, isRecord, OPTIONAL_FIELDS, REQUIRED_FIELDS } from '../../model/draft-document.ts';
import { Pair, type PartProps } from './builder-part.tsx';
import { DraftChoice, DraftMap, DraftText } from './draft-inputs.tsx';
import { EXAMPLE } from './examples.ts';

interface MappingProps extends PartProps {
  /** The part of the document whose records become findings. */
  of: DraftPath;
}

/** Which records are findings, and of which family. */
export const RecordFields = observer(function RecordFields({ store, of }: MappingProps) {
  return (
    <Pair>
      <DraftChoice
        store={store}
        path={[...of, 'type']}
        label={t('Type')}
        options={[
          { value: '', label: t('As the mapping says') },
          ...FINDING_TYPES.map((value) => ({ value, label: translated(value) })),
        ]}
      />
      <DraftText
        store={store}
        path={[...of, 'where']}
        label={t('Only records where')}
        isCode={true}
        isOptional={true}
        placeholder={EXAMPLE.where}
      />
    </Pair>
  );
});

const isRequiredField = (name: string): boolean => REQUIRED_FIELDS.some((field) => field === name);

/** Each field of a finding with the expression that gives it, and what words of severity mean. */
export const MappingFields = observer(function MappingFields({ store, of }: MappingProps) {
  const at = [...of, 'map'];
  const map = store.valueAt(at);
  const given = isRecord(map) ? Object.keys(map).filter((name) => !isRequiredField(name)) : [];
  const left = OPTIONAL_FIELDS.filter((name) => !given.includes(name));
  return (
    <>
      {[...REQUIRED_FIELDS, ...given].map((name) => (
        <div className="row builder-mapping" key={name}>
          <div className="grow">
            <DraftText store={store} path={[...at, name]} label={name} isCode={true} />
          </div>
          {!isRequiredField(name) && (
            <Button
              variant="minimal"
              icon={<Cross size={14} />}
              aria-label={t('Remove field {name}', { name })}
              onClick={() => store.set([...at, name], undefined)}
            />
          )}
        </div>
      ))}
      <HTMLSelect
        aria-label={t('Add a field of the finding')}
        value=""
        onChange={({ currentTarget }) => currentTarget.value !== '' && store.set([...at, currentTarget.value], '')}
      >
        <option value="">{t('Add a field of the finding')}</option>
        {left.map((name) => (
          // a name of the contract, in no language
          <option key={name} value={name} lang="en">
            {name}
          </option>
        ))}
      </HTMLSelect>
      <DraftMap
        store={store}
        path={[...of, 'severities']}
        label={t('Severities')}
        help={t(
          'The words of the service, one per line: critical, high, medium, low or informational. "*" is any other word.',
        )}
      />
    </>
  );
});

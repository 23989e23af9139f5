import { AnchorButton, Button, Callout } from '@blueprintjs/core';
import { Download, Trash } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import type { Static } from 'typebox';
import { type Proofs, ProvenDeletionDialog, useProofs } from '../../../accounts/ui/index.ts';
import { fullPath } from '../../../platform/api/contract.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { type Deletion, deleteOrganization, exportOrganization, readDeletion } from '../../api/organization-routes.ts';

type What = Static<typeof Deletion>;

interface DialogProps {
  what: What;
  proofs: Proofs;
  onClose: () => void;
}

function DeleteDialog({ what, proofs, onClose }: DialogProps) {
  const api = useService(API);
  const { organization_name: name, people, repositories, findings } = what;
  return (
    <ProvenDeletionDialog
      title={t('Delete the organisation')}
      consequence={t(
        'Everything goes: {people}, {repositories} and {findings}, with reports, decisions, connections, tokens and the audit log. This cannot be undone.',
        {
          people: plural(people, '{count} person', '{count} people'),
          repositories: plural(repositories, '{count} repository', '{count} repositories'),
          findings: plural(findings, '{count} finding', '{count} findings'),
        },
      )}
      actionLabel={t('Delete organisation')}
      confirmation={{
        id: 'organization_name_typed',
        label: t('Type {name} to confirm', { name }),
        refusal: t('Type {name} to confirm.', { name }),
        isGiven: (typed) => typed.trim() === name.trim(),
      }}
      proofs={proofs}
      onDelete={async (proof, _typed, signal) => {
        await api.call(deleteOrganization, { body: { organization_name: name, ...proof }, signal });
      }}
      goneAt="/organization-deleted"
      onClose={onClose}
    />
  );
}

/** Taking the organisation along, and ending it: for admins. */
export function OrganizationEnd() {
  const api = useService(API);
  const proofs = useProofs();
  const [what, setWhat] = useState<What>();
  const [isDeleting, setIsDeleting] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    api.call(readDeletion, { signal: leaving.signal }).then(
      ({ data }) => setWhat(data),
      // the button stays off
      () => undefined,
    );
    return () => leaving.abort();
  }, [api]);
  const refusal = what?.refusal ?? null;
  return (
    <div className="bp6-card organization-end">
      <section aria-labelledby="export-organization">
        <h2 id="export-organization">{t('Export of all data')}</h2>
        <p className="t2">
          {t('All data of the organisation as one packed JSON file, without secrets and raw reports.')}
        </p>
        <AnchorButton
          icon={<Download aria-hidden={true} />}
          text={t('Export the organisation')}
          href={fullPath(exportOrganization)}
          download={true}
        />
      </section>
      <section aria-labelledby="delete-organization">
        <h2 id="delete-organization">{t('Delete the organisation')}</h2>
        <p className="t2">
          {t('It goes with everything that belongs to it, for all its people. There is no way back.')}
        </p>
        {refusal !== null && (
          <Callout intent="warning">
            {t(refusal)} {what?.refusal_code === 'paid' && <Link to="/plan-pricings">{t('Plans')}</Link>}
          </Callout>
        )}
        <Button
          intent="danger"
          variant="outlined"
          icon={<Trash aria-hidden={true} />}
          text={t('Delete the organisation…')}
          disabled={what === undefined || proofs === undefined || refusal !== null}
          onClick={() => setIsDeleting(true)}
        />
      </section>
      {isDeleting && what !== undefined && proofs !== undefined && (
        <DeleteDialog what={what} proofs={proofs} onClose={() => setIsDeleting(false)} />
      )}
    </div>
  );
}

import { type ComponentType, lazy, Suspense, useState } from 'react';
import { type ServiceId, serviceId, useService } from '../../../platform/ui/data/services.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';

/** What a key asks of the fix; the number grows at each press. */
export interface FixRequest {
  kind: 'generate' | 'open';
  count: number;
}

interface FindingFixProps {
  /** Of the finding. */
  id: string;
  request: FixRequest | undefined;
  /** The status of the finding may be another one now. */
  onChanged: () => void;
}

/** How a finding is fixed: shown here, and made by the slice that keeps remediations. */
interface FixPort {
  load(): Promise<ComponentType<FindingFixProps>>;
}

export const FINDING_FIX: ServiceId<FixPort> = serviceId<FixPort>('findings.fix');

/** The fix of a finding, loaded when it is first looked at. */
export function FindingFix(props: FindingFixProps) {
  const port = useService(FINDING_FIX);
  const [Fix] = useState(() => lazy(async () => ({ default: await port.load() })));
  return (
    <Suspense fallback={<SkeletonRows rows={4} rowHeight={32} label="The fix" />}>
      <Fix {...props} />
    </Suspense>
  );
}

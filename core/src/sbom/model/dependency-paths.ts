/** Who needs a component, as far as it was read: by component, the components that need it. */
export type Parents = ReadonlyMap<string, readonly string[]>;

export interface PathRequest {
  target: string;
  parents: Parents;
  /** Where a path begins: what the application names itself. */
  isRoot(id: string): boolean;
  maxPaths: number;
}

/** One step of a path towards the target; steps are shared between paths. */
interface Step {
  id: string;
  next: Step | undefined;
}

const idsFrom = (step: Step | undefined): string[] => {
  const ids: string[] = [];
  for (let at = step; at !== undefined; at = at.next) ids.push(at.id);
  return ids;
};

const isOn = (step: Step, id: string): boolean => {
  for (let at: Step | undefined = step; at !== undefined; at = at.next) if (at.id === id) return true;
  return false;
};

/**
 * The shortest dependency paths from roots to the target, both ends included, shortest first. Cycles are not followed. Each component is
 * passed at most `maxPaths` times, so the work is at most `maxPaths` × edges × length, whatever the graph.
 */
export const shortestPaths = ({ target, parents, isRoot, maxPaths }: PathRequest): string[][] => {
  const paths: string[][] = [];
  const passed = new Map<string, number>();
  const queue: Step[] = [{ id: target, next: undefined }];
  for (const step of queue) {
    const count = passed.get(step.id) ?? 0;
    if (count >= maxPaths) continue;
    passed.set(step.id, count + 1);
    if (isRoot(step.id)) {
      paths.push(idsFrom(step));
      if (paths.length >= maxPaths) return paths;
      continue;
    }
    for (const id of parents.get(step.id) ?? []) if (!isOn(step, id)) queue.push({ id, next: step });
  }
  return paths;
};

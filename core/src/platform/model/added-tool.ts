/**
 * Names of tools whose connector an organisation added for itself: what its author calls it, and whose it is. Two connectors of one tool are
 * then two tools, and none can speak for a tool of ours: the name of an importer has no dot.
 */
const ADDED_TOOL = /^(.+)\.[0-9a-f]{16}$/;

/** @param mark 16 hexadecimal digits, the same in all versions of what was added */
export const addedTool = (own: string, mark: string): string => `${own}.${mark}`;

/** What the author of a tool calls it; the whole name where nobody added it. */
export const ownToolName = (tool: string): string => ADDED_TOOL.exec(tool)?.[1] ?? tool;
